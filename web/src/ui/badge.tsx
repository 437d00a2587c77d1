import styles from './badge.module.css';

interface BadgeProps {
  readonly tone?: 'plain' | 'success' | 'danger' | 'warning' | 'info';
  readonly text: string;
}

/** A state in a word or a few. */
export function Badge({ tone = 'plain', text }: BadgeProps) {
  return <span className={`${styles['badge']} ${styles[tone] ?? ''}`}>{text}</span>;
}
