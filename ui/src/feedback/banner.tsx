import type { ReactNode } from 'react';
import styles from './banner.module.css';

interface BannerProps {
  readonly tone?: 'warning' | 'info';
  readonly icon: ReactNode;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

/** A message above the page that applies to all of it. */
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
