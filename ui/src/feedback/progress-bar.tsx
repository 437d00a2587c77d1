import { useEffect, useRef } from 'react';
import styles from './progress-bar.module.css';

interface ProgressBarProps {
  readonly label: string;
  /** 0 to 100; null: unknown. */
  readonly value: number | null;
}

export function ProgressBar({ label, value }: ProgressBarProps) {
  const bar = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    bar.current?.style.setProperty('--done', String((value ?? 0) / 100));
  }, [value]);
  const percent = value === null ? undefined : Math.round(value);
  return (
    <div className={styles['row']}>
      <div className={styles['words']}>
        <span>{label}</span>
        {percent !== undefined && <span className={styles['percent']}>{percent} %</span>}
      </div>
      <div
        className={styles['track']}
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        <span ref={bar} className={`${styles['bar']} ${value === null ? (styles['unknown'] ?? '') : ''}`} />
      </div>
    </div>
  );
}
