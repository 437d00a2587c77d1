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
  /** While busy neither Escape nor the cross closes it. */
  readonly isBusy?: boolean;
  readonly size?: 'sm' | 'md' | 'lg';
  readonly role?: 'dialog' | 'alertdialog';
  /** A sign before the title. */
  readonly mark?: ReactNode;
  readonly footer?: ReactNode;
  readonly children: ReactNode;
}

/** The browser's modal dialog: it keeps the focus inside, makes the rest inert and gives the focus back. A bottom sheet on small screens. */
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

  // In the layout phase: the browser gives the focus back only while the dialog is still in the page.
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
        // The same event comes up from a file input whose choice was given up.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        if (!isBusy) onClose();
      }}
      onClose={(event) => {
        // A browser lets nobody be held for ever: asked often enough it closes the dialog by itself.
        if (event.target !== event.currentTarget || event.currentTarget.open || isLeaving.current) return;
        if (isBusy) event.currentTarget.showModal();
        else onClose();
      }}
      onKeyDown={(event) => {
        // Keys typed in here are no shortcuts of the page behind.
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
