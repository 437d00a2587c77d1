import { useEffect, useState } from 'react';
import { FolderPlus, LockOpen } from 'lucide-react';
import { useNavigate } from 'react-router';
import { usePageTitle } from '../../app/navigation/use-page-title.ts';
import { useMasterPassword, useMasterPasswordView } from '../../master-password/use-master-password.ts';
import { useSession } from '../../session/use-session.ts';
import { HOME_TEXTS } from '../../texts/entries/desk.ts';
import { FRAME_TEXTS } from '../../texts/frame.ts';
import { GROUP_TEXTS as TEXTS } from '../../texts/groups/groups.ts';
import { IDENTITY_TEXTS } from '../../texts/identity/identity.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { EmptyState } from '@passwordbroker/ui/feedback/empty-state';
import { WhoAdds } from '../../invites/who-adds.tsx';
import { useVault } from '../../vault/use-vault.ts';
import { AddGroupDialog } from '../dialogs/add-group-dialog.tsx';
import styles from './group-page.module.css';
import { importRequest } from '../tree/side-panel.tsx';
import { useGroupTree } from '../tree/use-group-tree.ts';

/** No group is selected yet (docs/spec/product.md §2). Without any group it says how to begin and whom to ask. */
export function PromptPage() {
  useEffect(() => {
    document.title = 'PasswordBroker';
  }, []);
  const { tree } = useGroupTree();
  const { write } = useVault();
  const { user } = useSession();
  const masterPassword = useMasterPassword();
  const isLocked = useMasterPasswordView().state !== 'validated';
  const [isAdding, setAdding] = useState(false);
  const isFirst = tree !== null && tree.roots.length === 0 && write !== null;
  return (
    <div className={styles['centre']}>
      {isFirst ? (
        <EmptyState
          title={TEXTS.select}
          text={
            <>
              {TEXTS.firstTreeHint.begin}
              <button type="button" className={styles['inText']} onClick={importRequest.tell}>
                {TEXTS.firstTreeHint.importFile}
              </button>
              {TEXTS.firstTreeHint.ask}
              {user?.is_admin === false && (
                <span className={styles['whoAdds']}>
                  <WhoAdds name={user.name} />
                </span>
              )}
            </>
          }
          action={
            <Button variant="primary" icon={<FolderPlus size={16} />} onPress={() => setAdding(true)}>
              {TEXTS.firstTree}
            </Button>
          }
          isPageHeading
        />
      ) : (
        <EmptyState
          title={TEXTS.select}
          // Blank until the groups are loaded; the line keeps its height.
          text={
            tree === null ? (
              '\u00a0'
            ) : (
              <>
                <span className={styles['besideTree']}>{TEXTS.selectHint}</span>
                <span className={styles['behindMenu']}>{TEXTS.selectHintNarrow}</span>
              </>
            )
          }
          {...(isLocked && tree !== null && tree.roots.length > 0
            ? {
                action: (
                  <Button icon={<LockOpen size={16} />} onPress={masterPassword.open}>
                    {HOME_TEXTS.locked}
                  </Button>
                ),
              }
            : {})}
          isPageHeading
        />
      )}
      {isAdding && <AddGroupDialog parent={null} onClose={() => setAdding(false)} />}
    </div>
  );
}

/** An unknown address. */
export function NoSuchPage() {
  usePageTitle(FRAME_TEXTS.notFound);
  const navigate = useNavigate();
  return (
    <div className={styles['centre']}>
      <EmptyState
        title={FRAME_TEXTS.notFound}
        text={FRAME_TEXTS.notFoundHint}
        action={
          <Button variant="primary" onPress={() => void navigate('/')}>
            {IDENTITY_TEXTS.backToGroups}
          </Button>
        }
        isPageHeading
      />
    </div>
  );
}
