import { X } from 'lucide-react';
import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { UI_TEXTS as TEXTS } from '../texts.ts';
import styles from './dialog.module.css';
import { IconButton, Button } from '../actions/button.tsx';

interface DialogProps {
  readonly title: string;
  readonly subtitle?: ReactNode;
  readonly onClose: () => void;
  /** Disables Escape and the close button. */
  readonly isBusy?: boolean;
  /** Closes by a button of its footer alone, never by Escape. */
  readonly mustAnswer?: boolean;
  readonly size?: 'sm' | 'md' | 'lg';
  /** On small screens as tall as the window at once, for content that grows as responses arrive. */
  readonly isTall?: boolean;
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
  mustAnswer = false,
  size = 'sm',
  isTall = false,
  role,
  mark,
  footer,
  children,
}: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isLeaving = useRef(false);
  const id = useId();
  const isHeld = isBusy || mustAnswer;

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
      className={`${styles['dialog']} ${styles[size] ?? ''} ${isTall ? styles['tall'] : ''}`}
      aria-labelledby={id}
      aria-busy={isBusy || undefined}
      onCancel={(event) => {
        // A cancelled file input bubbles the same event.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        if (!isHeld) onClose();
      }}
      onClose={(event) => {
        // Browsers close a dialog by themselves after repeated requests.
        if (event.target !== event.currentTarget || event.currentTarget.open || isLeaving.current) return;
        if (isHeld) event.currentTarget.showModal();
        else onClose();
      }}
      onKeyDown={(event) => {
        // Keys in here are no shortcuts of the page behind.
        event.stopPropagation();
        if (isHeld && event.key === 'Escape') event.preventDefault();
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
        {!mustAnswer && (
          <IconButton label={TEXTS.close} icon={<X size={16} />} align="end" isDisabled={isBusy} onPress={onClose} />
        )}
      </header>
      <div className={styles['body']}>{children}</div>
      {footer !== undefined && <footer className={styles['foot']}>{footer}</footer>}
    </dialog>,
    document.body,
  );
}

/**
 * Ref for the control with the initial focus of a dialog. The browser sets it while opening; an effect would
 * cost another layout.
 */
export function firstFocus(control: HTMLElement | null): void {
  // React's `autoFocus` calls focus() too early, before the dialog is open.
  control?.setAttribute('autofocus', '');
}

/** @returns the ref, and a function that focuses the control again */
export function useFirstFocus(): readonly [attach: (control: HTMLElement | null) => void, again: () => void] {
  const [both] = useState(() => {
    let present: HTMLElement | null = null;
    const attach = (control: HTMLElement | null) => {
      present = control;
      firstFocus(control);
    };
    return [attach, () => present?.focus()] as const;
  });
  return both;
}

interface FormVerbsProps {
  /** Id of the form. */
  readonly form: string;
  readonly cancel: string;
  readonly onCancel: () => void;
  /** Disables cancelling; default: while busy. */
  readonly isHeld?: boolean;
  readonly submit: string;
  readonly submitting?: string;
  readonly isBusy?: boolean;
  readonly isDisabled?: boolean;
  readonly icon?: ReactNode;
}

/** Footer of a dialog with a form. */
export function FormVerbs(props: FormVerbsProps) {
  const { form, cancel, onCancel, submit, submitting = submit, isBusy = false, isDisabled = false, icon } = props;
  const { isHeld = isBusy } = props;
  return (
    <>
      <Button variant="ghost" onPress={onCancel} isDisabled={isHeld}>
        {cancel}
      </Button>
      <Button
        variant="primary"
        type="submit"
        form={form}
        icon={icon}
        busy={isBusy}
        busyLabel={submitting}
        isDisabled={isDisabled}
      >
        {submit}
      </Button>
    </>
  );
}
