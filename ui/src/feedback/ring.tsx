import styles from './ring.module.css';

const RADIUS = 8;
const LENGTH = 2 * Math.PI * RADIUS;

/** A countdown as a ring that drains. @param fraction the rest, 0 to 1 */
export function Ring({ fraction, isLow = false }: { readonly fraction: number; readonly isLow?: boolean }) {
  return (
    <svg className={`${styles['ring']} ${isLow ? (styles['low'] ?? '') : ''}`} viewBox="0 0 20 20" aria-hidden="true">
      <circle className={styles['track']} cx="10" cy="10" r={RADIUS} />
      <circle
        className={styles['left']}
        cx="10"
        cy="10"
        r={RADIUS}
        strokeDasharray={LENGTH}
        strokeDashoffset={LENGTH * (1 - Math.max(0, Math.min(1, fraction)))}
      />
    </svg>
  );
}
