/**
 * Explains a removal and lists what this person has opened in the group (docs/spec/decisions.md G6,
 * docs/spec/crypto.md §12).
 */
import { useState, useSyncExternalStore } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { GroupUser } from '@passwordbroker/core/contract/entities';
import { OpenedRows } from '../../former-members/opened-rows.tsx';
import { GROUP_USER_TEXTS as TEXTS } from '../../texts/group-users.ts';
import { useMasterPassword } from '../../master-password/use-master-password.ts';
import { LEAVER_TEXTS } from '../../texts/leavers.ts';
import { TRUST_TEXTS } from '../../texts/trust.ts';
import { MessageBox } from '@passwordbroker/ui/message-box';
import { useVault } from '../../vault/use-vault.ts';
import { ActDialog } from './act-dialog.tsx';
import styles from '../table/group-users.module.css';
import type { ActGroup, Outcome } from './over-groups.ts';
import type { MemberActs } from './use-member-acts.ts';

interface Props {
  readonly user: GroupUser;
  readonly group: ActGroup;
  readonly below: readonly ActGroup[];
  readonly acts: MemberActs;
  readonly onRemove: (groups: readonly ActGroup[]) => Promise<Outcome>;
  readonly onDone: (outcome: Outcome) => void;
  readonly onClose: () => void;
}

export function RemoveUserDialog({ user, group, below, acts, onRemove, onDone, onClose }: Props) {
  const { name } = user.user;
  const masterPassword = useMasterPassword();
  const isUnlocked = useSyncExternalStore(masterPassword.subscribe, masterPassword.isRemembered);
  return (
    <ActDialog
      title={TEXTS.removeTitle(name, group.title)}
      confirm={TEXTS.removeShort}
      confirming={TEXTS.removing}
      isDangerous
      group={group}
      below={below}
      acts={acts}
      act={onRemove}
      onDone={onDone}
      onClose={onClose}
    >
      <ul className={styles['means']}>
        {TEXTS.removeMeans(name).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {!isUnlocked && <MessageBox tone="info" lines={[TRUST_TEXTS.unlockFirst(name)]} />}
      <Opened groupId={group.id} userId={user.user_id} name={name} />
    </ActDialog>
  );
}

/** Collapsed, and rendered only when expanded: there may be thousands of rows. */
function Opened({
  groupId,
  userId,
  name,
}: {
  readonly groupId: string;
  readonly userId: string;
  readonly name: string;
}) {
  const vault = useVault();
  const [isShown, setShown] = useState(false);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [vault.mode, 'opened', groupId, userId],
    queryFn: ({ signal }) => vault.read.opened(groupId, userId, signal),
    networkMode: 'always',
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
  if (data?.length === 0) return <p>{LEAVER_TEXTS.openedBy(name, 0)}</p>;
  return (
    <details className={styles['opened']} onToggle={(event) => setShown(event.currentTarget.open)}>
      <summary>{data === undefined ? LEAVER_TEXTS.more(name) : LEAVER_TEXTS.openedBy(name, data.length)}</summary>
      {isShown && (
        <OpenedRows
          label={LEAVER_TEXTS.rows(name)}
          rows={data}
          error={isFetching ? null : error}
          onRetry={() => void refetch()}
        />
      )}
    </details>
  );
}
