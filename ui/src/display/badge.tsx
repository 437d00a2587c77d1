import type { ReactNode } from 'react';
import styles from './badge.module.css';

interface BadgeProps {
  readonly tone?: 'plain' | 'success' | 'danger' | 'warning' | 'info';
  readonly text: string;
  readonly icon?: ReactNode;
}

export function Badge({ tone = 'plain', text, icon }: BadgeProps) {
  return (
    <span className={`${styles['badge']} ${styles[tone] ?? ''}`}>
      {icon}
      {text}
    </span>
  );
}
