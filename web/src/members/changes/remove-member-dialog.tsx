import { useState, useSyncExternalStore } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { GroupUser } from '@passwordbroker/core/contract/entities';
import { OpenedRows } from '../../former-members/opened-rows.tsx';
import { MEMBER_TEXTS as TEXTS, FORMER_MEMBER_TEXTS } from '../../texts/groups/members.ts';
import { useMasterPassword } from '../../master-password/use-master-password.ts';
import { TRUST_TEXTS } from '../../texts/groups/trust.ts';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { useVault } from '../../vault/use-vault.ts';
import { MemberChangeDialog } from './member-change-dialog.tsx';
import styles from '../table/members.module.css';
import type { NamedGroup, Outcome } from './over-groups.ts';
import type { MemberActions } from './use-member-actions.ts';

interface Props {
  readonly user: GroupUser;
  readonly group: NamedGroup;
  readonly below: readonly NamedGroup[];
  readonly actions: MemberActions;
  readonly onRemove: (groups: readonly NamedGroup[]) => Promise<Outcome>;
  readonly onDone: (outcome: Outcome) => void;
  readonly onClose: () => void;
}

/**
 * Explains a removal and lists what this person has opened (docs/spec/decisions.md G6, docs/spec/crypto.md
 * §12).
 */
export function RemoveMemberDialog({ user, group, below, actions, onRemove, onDone, onClose }: Props) {
  const { name } = user.user;
  const masterPassword = useMasterPassword();
  const isUnlocked = useSyncExternalStore(masterPassword.subscribe, masterPassword.isRemembered);
  return (
    <MemberChangeDialog
      title={TEXTS.removeTitle(name, group.title)}
      confirm={TEXTS.removeShort}
      confirming={TEXTS.removing}
      isDangerous
      group={group}
      below={below}
      actions={actions}
      change={onRemove}
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
    </MemberChangeDialog>
  );
}

/** Rendered only when expanded: there may be thousands of rows. */
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
  if (data?.length === 0) return <p>{FORMER_MEMBER_TEXTS.openedBy(name, 0)}</p>;
  return (
    <details className={styles['opened']} onToggle={(event) => setShown(event.currentTarget.open)}>
      <summary>
        {data === undefined ? FORMER_MEMBER_TEXTS.more(name) : FORMER_MEMBER_TEXTS.openedBy(name, data.length)}
      </summary>
      {isShown && (
        <OpenedRows
          label={FORMER_MEMBER_TEXTS.rows(name)}
          rows={data}
          error={isFetching ? null : error}
          onRetry={() => void refetch()}
        />
      )}
    </details>
  );
}
