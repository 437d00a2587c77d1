import styles from './skeleton.module.css';

/** Placeholder of a line of text; the parent sets the width. */
export function Skeleton() {
  return <span className={styles['skeleton']} aria-hidden="true" />;
}
