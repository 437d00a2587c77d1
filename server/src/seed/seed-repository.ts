/** What the seed writes directly, because no call for it exists yet: members of groups. */
import type { Role } from '@passwordbroker/core/domain/policy';
import type { Transact } from '../db/database.ts';
import type { Tables } from '../db/schema.ts';

export async function forgetRekeying(tx: Transact): Promise<void> {
  await tx.updateTable('users').set({ must_rekey: 0 }).execute();
}

export interface NewMember {
  readonly id: string;
  readonly groupId: string;
  readonly userId: string;
  readonly role: Role;
  readonly wrapped: Buffer;
  readonly fingerprint: string;
  readonly grantedBy: string;
  readonly alg: string;
  readonly now: number;
}

export async function insertMember(tx: Transact, member: NewMember): Promise<void> {
  const { groupId, userId, role, now } = member;
  await tx
    .insertInto('group_members')
    .values({ id: member.id, entry_group_id: groupId, user_id: userId, role, created_at: now, updated_at: now })
    .execute();
  await tx
    .insertInto('group_grants')
    .values({
      entry_group_id: groupId,
      gk_version: 1,
      user_id: userId,
      alg: member.alg,
      wrapped: member.wrapped,
      role,
      recipient_fpr: member.fingerprint,
      granted_by: member.grantedBy,
      created_at: now,
    })
    .execute();
}

/** Makes this roster the group's newest. */
export async function insertRoster(tx: Transact, roster: Tables['group_rosters']): Promise<void> {
  await tx.insertInto('group_rosters').values(roster).execute();
  await tx
    .updateTable('entry_groups')
    .set({ roster_seq: roster.seq })
    .where('entry_group_id', '=', roster.entry_group_id)
    .execute();
}
