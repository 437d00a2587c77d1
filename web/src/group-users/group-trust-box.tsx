/** The group is locked or read-only because its list of members cannot be relied on: why, and what to do (crypto.md §9). */
import { useState } from 'react';
import { reasonOf } from '../lib/reason.ts';
import { useMasterPassword } from '../master-password/use-master-password.ts';
import type { GroupUserWithCertificate } from '@passwordbroker/core/contract/entities';
import type { GroupTrust, SignedMember } from '../keyring/calls.ts';
import { TRUST_TEXTS as TEXTS } from '../texts/trust.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { MessageBox } from '../ui/message-box.tsx';
import { useVault, useWhyNot } from '../vault/use-vault.ts';
import styles from './group-users.module.css';
import { useGroupUsers, useUsersReload } from './use-group-users.ts';

type Doubt = Exclude<GroupTrust, 'unsigned' | 'accepted'>;

interface Props {
  readonly groupId: string;
  readonly trust: Doubt;
  /** Nobody else goes on from a list that does not follow. */
  readonly isAdmin: boolean;
}

export function GroupTrustBox({ groupId, trust, isAdmin }: Props) {
  const [isAsking, setAsking] = useState(false);
  const whyNot = useWhyNot();
  if ('locked' in trust) {
    return (
      <div className={styles['banner']}>
        <MessageBox tone="danger" lines={[TEXTS.locked[trust.locked], TEXTS.lockedHint]} />
      </div>
    );
  }
  return (
    <div className={styles['banner']}>
      <MessageBox
        tone="warning"
        title={TEXTS.readOnlyTitle}
        lines={[TEXTS.readOnly[trust.readOnly], TEXTS.readOnlyHint, ...(isAdmin ? [] : [TEXTS.askAdmin])]}
      >
        {isAdmin && (
          <span className={styles['verbs']}>
            <Button size="sm" whyNot={whyNot} onPress={() => setAsking(true)}>
              {TEXTS.goOn}
            </Button>
          </span>
        )}
      </MessageBox>
      {isAsking && <GoOnDialog groupId={groupId} onClose={() => setAsking(false)} />}
    </div>
  );
}

function GoOnDialog({ groupId, onClose }: { readonly groupId: string; readonly onClose: () => void }) {
  const { write, memberships } = useVault();
  const masterPassword = useMasterPassword();
  const reload = useUsersReload();
  const { users, state } = useGroupUsers(groupId);
  // What is asked about stays what it was when it was asked, whatever the server shows meanwhile.
  const [newest] = useState(() => memberships.newest(groupId));
  // Ids say nothing to anybody: the question is put when the names are there, or cannot be had.
  const isNaming = newest !== null && (state === 'required loading' || state === 'loading');
  const confirm = async () => {
    const goOn = async () => write?.members.confirmGroup(groupId, newest?.hash ?? null);
    await masterPassword.use(goOn, { label: TEXTS.goOn });
    onClose();
    void reload([groupId]);
  };
  return (
    <ConfirmDialog
      title={TEXTS.goOnTitle}
      cancel={TEXTS.cancel}
      confirm={TEXTS.goOn}
      confirming={TEXTS.goingOn}
      isIncomplete={isNaming}
      onConfirm={confirm}
      onClose={onClose}
      problemOf={(failure) => TEXTS.goOnFailed(reasonOf(failure))}
    >
      {newest === null ? TEXTS.goOnWithout : isNaming ? TEXTS.naming : TEXTS.goOnText(namesIn(newest.members, users))}
    </ConfirmDialog>
  );
}

/** Of those in the signed list. The server's own list may leave out whoever it does not want to be seen. */
function namesIn(members: readonly SignedMember[], users: readonly GroupUserWithCertificate[]): readonly string[] {
  const names = new Map(users.map(({ user_id, user }) => [user_id, user.name]));
  return members.map(({ userId }) => names.get(userId) ?? TEXTS.unnamed(userId));
}
