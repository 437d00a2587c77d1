import type { EntryGroup, GroupUser, GroupUserWithCertificate } from '@passwordbroker/core/contract/entities';
import { useMemo, useSyncExternalStore } from 'react';
import { useQuery } from '@tanstack/react-query';
import { tellFailure } from '../../activity-log/activity-log.ts';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { MasterPasswordCancelled } from '@passwordbroker/client/master-password/master-password';
import { MEMBER_TEXTS as TEXTS } from '../../texts/groups/members.ts';
import { TRUST_TEXTS } from '../../texts/groups/trust.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { Spinner } from '@passwordbroker/ui/feedback/spinner';
import { GROUP_TEXTS } from '../../texts/groups/groups.ts';
import { type MemberDifference, memberDifferences } from '@passwordbroker/client/vault/trust/listed-members';
import { useVault } from '../../vault/use-vault.ts';
import { useMasterPasswordView } from '../../master-password/use-master-password.ts';
import type { KeyState } from '@passwordbroker/client/vault/groups/people';
import { useTrust } from '../keys/use-trust.tsx';
import styles from './members.module.css';
import { useMembers } from './use-members.ts';
import { type MemberVerbs, MembersTable } from './members-table.tsx';

interface Props {
  readonly group: EntryGroup;
  readonly selfId: string;
  readonly verbs: MemberVerbs | null;
}

export function MemberList({ group, selfId, verbs }: Props) {
  const id = group.entry_group_id;
  const { state, users, problem, retry } = useMembers(id);
  const keyStates = useKeyStates(id, users);
  const differences = useDifferences(id, users);
  const trust = useTrust();

  const look = async ({ user_id: userId, user: { name } }: GroupUser) => {
    try {
      await trust.look({ userId, name });
    } catch (failure) {
      if (!(failure instanceof MasterPasswordCancelled)) tellFailure(reasonOf(failure));
    }
  };
  if (state === 'required loading' || state === 'loading') {
    return (
      <p className={styles['loading']} role="status">
        <Spinner /> {TEXTS.loading}
      </p>
    );
  }
  return (
    <>
      {problem !== null && (
        <div className={styles['problem']}>
          <MessageBox tone="danger" lines={[TEXTS.failed, problem.message]} />
          <Button variant="secondary" size="sm" onPress={retry}>
            {TEXTS.retry}
          </Button>
        </div>
      )}
      {users.length > 0 && (
        <MembersTable
          users={users}
          selfId={selfId}
          keyStates={keyStates}
          differences={differences.texts}
          onLook={(user) => void look(user)}
          verbs={verbs}
        />
      )}
      {differences.gone > 0 && <p className={styles['gone']}>{TRUST_TEXTS.gone(differences.gone)}</p>}
      {trust.dialog}
    </>
  );
}

interface Differences {
  /** Texts by user id. */
  readonly texts: ReadonlyMap<string, string>;
  /** Number of people on the signed list whom the server does not list. */
  readonly gone: number;
}

/**
 * Differences between the server's list and the signed one (docs/spec/crypto.md §9). Empty until the group is
 * opened.
 */
function useDifferences(groupId: string, users: readonly GroupUserWithCertificate[]): Differences {
  const { memberships } = useVault();
  const signed = useSyncExternalStore(memberships.subscribe, () => memberships.signed(groupId));
  return useMemo(() => {
    const all = users.length === 0 ? [] : memberDifferences(signed, users);
    const listed = new Set(users.map(({ user_id }) => user_id));
    const texts = new Map<string, string>();
    for (const difference of all) {
      const { userId } = difference;
      const before = texts.get(userId);
      if (listed.has(userId)) texts.set(userId, [before, textOf(difference)].filter(Boolean).join(', '));
    }
    return { texts, gone: all.filter(({ userId }) => !listed.has(userId)).length };
  }, [signed, users]);
}

function textOf({ kind, signedRole }: MemberDifference): string {
  if (kind === 'role') return TRUST_TEXTS.differences.role(signedRole === null ? '' : GROUP_TEXTS.roles[signedRole]);
  return TRUST_TEXTS.differences[kind];
}

const NONE: ReadonlyMap<string, KeyState> = new Map();

/** Empty while the keyring is locked; never asks for the master password. */
function useKeyStates(groupId: string, users: readonly GroupUserWithCertificate[]): ReadonlyMap<string, KeyState> {
  const vault = useVault();
  const isOpen = useMasterPasswordView().state === 'validated';
  const known = users.map(({ user_id, fpr }) => `${user_id} ${fpr ?? ''}`);
  const { data } = useQuery({
    queryKey: [vault.mode, 'key trust', groupId, known],
    queryFn: () => vault.read.keyStates(users),
    enabled: isOpen && users.length > 0,
    networkMode: 'always',
    retry: false,
    gcTime: 0,
  });
  return isOpen ? (data ?? NONE) : NONE;
}
