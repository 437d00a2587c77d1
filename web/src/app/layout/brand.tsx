import styles from './brand.module.css';

export function Mark({ className }: { readonly className?: string | undefined }) {
  return (
    <svg className={className ?? styles['mark']} viewBox="0 0 22 22" aria-hidden="true">
      <path className={styles['stem']} d="M4.5 20.8V2.7h6.7a4.25 4.25 0 0 1 0 8.5H4.5" strokeWidth="3" />
      <path className={styles['bowl']} d="M7.3 13.9h6.65a3.45 3.45 0 0 1 0 6.9H7.3Z" />
    </svg>
  );
}

export function Brand({ size = 'md' }: { readonly size?: 'md' | 'lg' }) {
  return (
    <span className={`${styles['brand']} ${styles[size] ?? ''}`}>
      <Mark />
      <span className={styles['word']}>
        <b>Password</b>Broker
      </span>
    </span>
  );
}
