/** A group's people and signed state as they are inside an act. */
import type { Role } from '@passwordbroker/core/domain/policy';
import type { PresentRoster } from '@passwordbroker/core/domain/roster-act';
import type { RosterMember } from '@passwordbroker/core/domain/roster';
import type { Database, Transact } from '../db/database.ts';
import { sha256 } from '../platform/secrets.ts';

/** Every member with role and present fingerprint; '' for one without keys, which no roster can name. */
export async function listPresentMembers(tx: Transact, groupId: string): Promise<RosterMember[]> {
  const rows = await tx
    .selectFrom('group_members')
    .leftJoin('user_keysets', 'user_keysets.user_id', 'group_members.user_id')
    .select(['group_members.user_id', 'group_members.role', 'user_keysets.fpr'])
    .where('group_members.entry_group_id', '=', groupId)
    .execute();
  return rows.map(({ user_id, role, fpr }) => ({ userId: user_id, role, fingerprint: fpr ?? '' }));
}

/** The newest roster; null while the group has none. */
export async function findPresentRoster(tx: Transact, groupId: string): Promise<PresentRoster | null> {
  const row = await tx
    .selectFrom('group_rosters')
    .select(['seq', 'bytes'])
    .where('entry_group_id', '=', groupId)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : { seq: row.seq, hash: sha256(row.bytes).toString('hex') };
}

/** Hex of the commitment of one version of the group's key. */
export async function findCommitment(tx: Transact, groupId: string, version: number): Promise<string> {
  const row = await tx
    .selectFrom('group_keys')
    .select('gk_commit')
    .where('entry_group_id', '=', groupId)
    .where('gk_version', '=', version)
    .executeTakeFirstOrThrow();
  return row.gk_commit.toString('hex');
}

export async function findRole(tx: Transact, groupId: string, userId: string): Promise<Role | null> {
  const row = await tx
    .selectFrom('group_members')
    .select('role')
    .where('entry_group_id', '=', groupId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.role ?? null;
}

export async function countAdmins(tx: Transact, groupId: string): Promise<number> {
  const { admins } = await tx
    .selectFrom('group_members')
    .select((eb) => eb.fn.countAll<number>().as('admins'))
    .where('entry_group_id', '=', groupId)
    .where('role', '=', 'admin')
    .executeTakeFirstOrThrow();
  return Number(admins);
}

/** Nobody gets in with a disabled account. */
export async function isDisabled(tx: Transact, userId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('users')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('disabled_at', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Name and present certificate of a person who is to become a member; the fingerprint is null without keys. */
export async function findPerson(db: Database, userId: string) {
  return db.read
    .selectFrom('users')
    .leftJoin('user_keysets', 'user_keysets.user_id', 'users.user_id')
    .select(['users.user_id', 'users.name', 'user_keysets.fpr'])
    .where('users.user_id', '=', userId)
    .executeTakeFirst();
}
