import styles from './spinner.module.css';

/** Something is going on; what it is stands beside it. */
export function Spinner() {
  return <span className={styles['spinner']} aria-hidden="true" />;
}
