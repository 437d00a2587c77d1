/** Warning above every page of the admin panel: the server's disk is nearly full. */
import { MessageBox } from '../ui/message-box.tsx';
import styles from './admin.module.css';
import { useStorage } from './use-settings.ts';

export function DiskWarning() {
  const problem = useStorage().data?.disk.problem ?? null;
  if (problem === null) return null;
  return (
    <div className={styles['warning']}>
      <MessageBox tone="danger" lines={[problem]} />
    </div>
  );
}
