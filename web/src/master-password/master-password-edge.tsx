/** A line at the top of the page, in the colour of the lock. */
import styles from './master-password.module.css';
import { useMasterPasswordView } from './use-master-password.ts';

export function MasterPasswordEdge() {
  const { state } = useMasterPasswordView();
  return <div className={styles['edge']} data-state={state} aria-hidden="true" />;
}
