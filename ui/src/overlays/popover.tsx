/** A panel below its button. Closed by Escape, outside clicks and leaving it by keyboard. */
import { type ReactNode, useEffect, useRef } from 'react';
import styles from './popover.module.css';

/** Time in which focus changes of earlier actions end. */
const SETTLED_MS = 1000;

interface PopoverProps {
  readonly id: string;
  readonly label: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Edge of the button that it aligns with. */
  readonly align?: 'start' | 'end';
  readonly trigger: ReactNode;
  readonly children: ReactNode;
}

export function Popover({ id, label, isOpen, onClose, align = 'end', trigger, children }: PopoverProps) {
  const root = useRef<HTMLSpanElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen) return undefined;
    panel.current?.focus();
    const openedAt = performance.now();
    let isKeyPressed = false;
    const closeOutside = ({ type, target }: Event) => {
      // A dialog that was opened from here lies elsewhere in the page.
      const isElsewhere = target instanceof Element && target.closest('dialog') === null && target !== document.body;
      if (!isElsewhere || root.current?.contains(target) === true) return;
      // Focus moves without a key only if a dialog that closed before restores it.
      const isGivenBack = type === 'focusin' && !isKeyPressed && performance.now() - openedAt < SETTLED_MS;
      if (isGivenBack) panel.current?.focus();
      else onClose();
    };
    const closeByKey = (event: KeyboardEvent) => {
      isKeyPressed = true;
      if (event.key !== 'Escape' || (event.target instanceof Element && event.target.closest('dialog') !== null))
        return;
      onClose();
      root.current?.querySelector('button')?.focus();
    };
    document.addEventListener('pointerdown', closeOutside);
    document.addEventListener('focusin', closeOutside);
    document.addEventListener('keydown', closeByKey);
    return () => {
      document.removeEventListener('pointerdown', closeOutside);
      document.removeEventListener('focusin', closeOutside);
      document.removeEventListener('keydown', closeByKey);
    };
  }, [isOpen, onClose]);
  return (
    <span ref={root} className={styles['root']}>
      {trigger}
      {isOpen && (
        <div
          ref={panel}
          id={id}
          role="dialog"
          aria-label={label}
          tabIndex={-1}
          className={`${styles['panel']} ${align === 'start' ? styles['start'] : ''}`}
        >
          {children}
        </div>
      )}
    </span>
  );
}
