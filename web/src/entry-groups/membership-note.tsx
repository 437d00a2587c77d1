/** What the signed list of members says otherwise than the server about oneself (docs/spec/crypto.md §9). */
import { useSyncExternalStore } from 'react';
import { TriangleAlert } from 'lucide-react';
import type { Role } from '@passwordbroker/core/domain/policy';
import type { SignedMembership } from '../keyring/calls.ts';
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
  // Null: nobody has signed them, or the group does not open; the banner of its trust says so.
  if (membership === undefined || membership === null) return null;
  return differences(membership, role).map((line) => (
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
