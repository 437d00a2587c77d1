import type { ReactNode } from 'react';
import styles from './banner.module.css';

interface BannerProps {
  readonly tone?: 'warning' | 'info';
  readonly icon: ReactNode;
  /** A button at the end. */
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

/** Says above the whole page what holds for all of it. */
export function Banner({ tone = 'info', icon, action, children }: BannerProps) {
  return (
    <div className={`${styles['banner']} ${styles[tone] ?? ''}`} role="status">
      <span className={styles['icon']} aria-hidden="true">
        {icon}
      </span>
      <span className={styles['words']}>{children}</span>
      {action}
    </div>
  );
}
