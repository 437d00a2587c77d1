/** Two pixels across the top of the page, in the lock's colour. */
import styles from './master-password.module.css';
import { useMasterPasswordView } from './use-master-password.ts';

export function MasterPasswordEdge() {
  const { state } = useMasterPasswordView();
  return <div className={styles['edge']} data-state={state} aria-hidden="true" />;
}
