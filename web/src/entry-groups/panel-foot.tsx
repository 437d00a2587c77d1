/** The ways to what was deleted and to who left, at the foot of the side panel. */
import { Trash2, UserMinus } from 'lucide-react';
import { OnlineLink } from '../app/navigation/online-link.tsx';
import { LEAVER_TEXTS } from '../texts/leavers.ts';
import { TRASH_TEXTS } from '../texts/trash.ts';
import styles from './side-panel.module.css';
import { useGroupTree } from './use-group-tree.ts';

export function PanelFoot({ onChosen }: { readonly onChosen: (() => void) | undefined }) {
  const { tree } = useGroupTree();
  const isAdmin = tree !== null && [...tree.byId.values()].some(({ role }) => role === 'admin');
  const chosen = onChosen === undefined ? {} : { onFollow: onChosen };
  return (
    <div className={styles['foot']}>
      <OnlineLink to="/trash" className={styles['trash'] ?? ''} {...chosen}>
        <Trash2 size={16} aria-hidden="true" />
        {TRASH_TEXTS.page}
      </OnlineLink>
      {isAdmin && (
        <OnlineLink to="/leavers" className={styles['trash'] ?? ''} {...chosen}>
          <UserMinus size={16} aria-hidden="true" />
          {LEAVER_TEXTS.page}
        </OnlineLink>
      )}
    </div>
  );
}
