import { X } from 'lucide-react';
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { UI_TEXTS as TEXTS } from '../texts.ts';
import styles from './dialog.module.css';
import { IconButton } from '../actions/icon-button.tsx';

interface DialogProps {
  readonly title: string;
  readonly subtitle?: ReactNode;
  readonly onClose: () => void;
  /** Disables Escape and the close button. */
  readonly isBusy?: boolean;
  readonly size?: 'sm' | 'md' | 'lg';
  readonly role?: 'dialog' | 'alertdialog';
  readonly mark?: ReactNode;
  readonly footer?: ReactNode;
  readonly children: ReactNode;
}

/** Native modal dialog: traps the focus and restores it. A bottom sheet on small screens. */
export function Dialog({
  title,
  subtitle,
  onClose,
  isBusy = false,
  size = 'sm',
  role,
  mark,
  footer,
  children,
}: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isLeaving = useRef(false);
  const id = useId();

  // Layout phase: the browser restores the focus only while the dialog is in the page.
  useLayoutEffect(() => {
    const element = dialog.current;
    if (element === null) return undefined;
    isLeaving.current = false;
    if (!element.open) element.showModal();
    return () => {
      isLeaving.current = true;
      element.close();
    };
  }, []);

  return createPortal(
    <dialog
      ref={dialog}
      role={role}
      className={`${styles['dialog']} ${styles[size] ?? ''}`}
      aria-labelledby={id}
      aria-busy={isBusy || undefined}
      onCancel={(event) => {
        // A cancelled file input bubbles the same event.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        if (!isBusy) onClose();
      }}
      onClose={(event) => {
        // Browsers close a dialog by themselves after repeated requests.
        if (event.target !== event.currentTarget || event.currentTarget.open || isLeaving.current) return;
        if (isBusy) event.currentTarget.showModal();
        else onClose();
      }}
      onKeyDown={(event) => {
        // Keys in here are no shortcuts of the page behind.
        event.stopPropagation();
        if (isBusy && event.key === 'Escape') event.preventDefault();
      }}
    >
      <header className={styles['head']}>
        {mark}
        <div className={styles['words']}>
          <h2 id={id} className={styles['title']}>
            {title}
          </h2>
          {subtitle !== undefined && <p className={styles['subtitle']}>{subtitle}</p>}
        </div>
        <IconButton label={TEXTS.close} icon={<X size={16} />} align="end" isDisabled={isBusy} onPress={onClose} />
      </header>
      <div className={styles['body']}>{children}</div>
      {footer !== undefined && <footer className={styles['foot']}>{footer}</footer>}
    </dialog>,
    document.body,
  );
}
