import type { ReactNode } from 'react';
import styles from './file-name.module.css';

/** The name of a file in one line; all of it when pointed at. */
export const FileName = ({ children }: { readonly children: string }) => (
  <b className={styles['name']} title={children}>
    {children}
  </b>
);

/** What is to be known of a file, or about choosing one. */
export const FileHint = ({ children }: { readonly children: ReactNode }) => (
  <span className={styles['hint']}>{children}</span>
);
