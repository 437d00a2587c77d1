import { useEffect, useRef } from 'react';
import styles from './progress-bar.module.css';
import ringStyles from './ring.module.css';

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

const RADIUS = 8;
const LENGTH = 2 * Math.PI * RADIUS;

/** A countdown as a ring that drains. @param fraction the rest, 0 to 1 */
export function Ring({ fraction, isLow = false }: { readonly fraction: number; readonly isLow?: boolean }) {
  return (
    <svg
      className={`${ringStyles['ring']} ${isLow ? (ringStyles['low'] ?? '') : ''}`}
      viewBox="0 0 20 20"
      aria-hidden="true"
    >
      <circle className={ringStyles['track']} cx="10" cy="10" r={RADIUS} />
      <circle
        className={ringStyles['left']}
        cx="10"
        cy="10"
        r={RADIUS}
        strokeDasharray={LENGTH}
        strokeDashoffset={LENGTH * (1 - Math.max(0, Math.min(1, fraction)))}
      />
    </svg>
  );
}
