import type { ReactNode } from 'react';
import styles from './file-name.module.css';

export const FileName = ({ children }: { readonly children: string }) => (
  <b className={styles['name']} title={children}>
    {children}
  </b>
);

export const FileHint = ({ children }: { readonly children: ReactNode }) => (
  <span className={styles['hint']}>{children}</span>
);
