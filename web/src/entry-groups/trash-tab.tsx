/** What was deleted in a group, for its moderators. */
import { TrashList } from '../trash/trash-list.tsx';
import styles from './settings-tab.module.css';

export function TrashTab({ groupId }: { readonly groupId: string }) {
  return (
    <div className={styles['tab']}>
      <TrashList groupId={groupId} />
    </div>
  );
}
