import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';
import styles from './print-sheet.module.css';

/** What is printed in place of the page, black on white. Not seen on the screen, nor by screen readers. */
export function PrintSheet({ children }: { readonly children: ReactNode }) {
  return createPortal(
    <div className={styles['sheet']} aria-hidden="true">
      {children}
    </div>,
    document.body,
  );
}
