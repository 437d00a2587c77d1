import type { ReactNode } from 'react';
import { Glyph } from '../display/glyph.tsx';
import styles from './message-box.module.css';

interface MessageBoxProps {
  readonly tone: 'danger' | 'warning' | 'success' | 'info';
  readonly title?: string;
  readonly lines: readonly string[];
  readonly children?: ReactNode;
}

/** Errors are announced at once. */
export function MessageBox({ tone, title, lines, children }: MessageBoxProps) {
  return (
    <div className={`${styles['box']} ${styles[tone]}`} role={tone === 'danger' ? 'alert' : 'status'}>
      <Glyph of={tone} />
      <div className={styles['lines']}>
        {title !== undefined && <p className={styles['title']}>{title}</p>}
        {lines.map((line, at) => (
          <p key={`${at}-${line}`}>{line}</p>
        ))}
        {children}
      </div>
    </div>
  );
}
