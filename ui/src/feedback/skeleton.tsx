import styles from './skeleton.module.css';

/** Holds the place of a line of text that is on its way; its parent gives the width. */
export function Skeleton() {
  return <span className={styles['skeleton']} aria-hidden="true" />;
}
