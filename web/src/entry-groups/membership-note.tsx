/** What the signed list of members says otherwise than the server, that nobody has signed it, or that this device cannot keep it (crypto.md §8, §9). */
import { useSyncExternalStore } from 'react';
import { TriangleAlert } from 'lucide-react';
import type { Role } from '@passwordbroker/core/domain/policy';
import type { SignedMembership } from '../keyring/calls.ts';
import { GroupTrustBox } from '../group-users/group-trust-box.tsx';
import { ENTRY_GROUP_TEXTS as TEXTS } from '../texts/entry-groups.ts';
import { useVault } from '../vault/use-vault.ts';
import styles from './membership-note.module.css';

interface Props {
  readonly groupId: string;
  /** As the server shows it. */
  readonly role: Role | 'guest';
}

export function MembershipNote({ groupId, role }: Props) {
  const { memberships } = useVault();
  const membership = useSyncExternalStore(memberships.subscribe, () => memberships.of(groupId));
  const trust = useSyncExternalStore(memberships.subscribe, () => memberships.trust(groupId));
  const isKept = useSyncExternalStore(memberships.subscribe, () => memberships.isKept(groupId));
  if (trust !== undefined && typeof trust !== 'string') {
    return <GroupTrustBox groupId={groupId} trust={trust} isAdmin={role === 'admin'} />;
  }
  // Before the group is opened nothing is known of it.
  if (membership === undefined) return null;
  if (membership === null) return <p className={styles['note']}>{TEXTS.membersNotSigned}</p>;
  const lines = [...differences(membership, role), ...(isKept ? [] : [TEXTS.listNotKept])];
  return lines.map((line) => (
    <p key={line} className={styles['note']} data-tone="warning">
      <TriangleAlert size={14} aria-hidden="true" />
      {line}
    </p>
  ));
}

function differences(membership: SignedMembership, role: Props['role']): string[] {
  return [
    ...(membership.role === role ? [] : [TEXTS.otherRole(TEXTS.roles[membership.role], TEXTS.roles[role])]),
    ...(membership.isOwnKey ? [] : [TEXTS.keyChanged]),
  ];
}
