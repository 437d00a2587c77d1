import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './message-box.module.css';

const ICONS = { danger: CircleAlert, warning: TriangleAlert, success: CircleCheck, info: Info } as const;

interface MessageBoxProps {
  readonly tone: keyof typeof ICONS;
  /** What it is about, above the rows. */
  readonly title?: string;
  /** One row each. */
  readonly lines: readonly string[];
  readonly children?: ReactNode;
}

/** Says what happened and what to do; errors are announced at once. */
export function MessageBox({ tone, title, lines, children }: MessageBoxProps) {
  const Icon = ICONS[tone];
  return (
    <div className={`${styles['box']} ${styles[tone]}`} role={tone === 'danger' ? 'alert' : 'status'}>
      <Icon size={16} aria-hidden="true" />
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
