import type { Role } from '@passwordbroker/core/domain/policy';
import type { RosterMember } from '@passwordbroker/core/domain/rosters/roster';
import type { Database, Transact } from '../db/database.ts';
import type { StoredRoster } from '../groups/signed-roster.ts';
import { sha256 } from '../platform/ids-and-digests.ts';
import { preparedAmong } from '../db/prepared.ts';
import type { Recipient } from '../groups/group-key-checks.ts';
import { listRecipients } from '../groups/group-repository.ts';

/** The fingerprint is '' without keys; no roster can name it. */
export async function listPresentMembers(tx: Transact, groupId: string): Promise<RosterMember[]> {
  const rows = await tx
    .selectFrom('group_members')
    .leftJoin('user_keysets', 'user_keysets.user_id', 'group_members.user_id')
    .select(['group_members.user_id', 'group_members.role', 'user_keysets.fpr'])
    .where('group_members.entry_group_id', '=', groupId)
    .execute();
  return rows.map(({ user_id, role, fpr }) => ({ userId: user_id, role, fingerprint: fpr ?? '' }));
}

export async function findPresentRoster(
  tx: Transact,
  groupId: string,
): Promise<(StoredRoster & { readonly signerFingerprint: string }) | null> {
  const row = await tx
    .selectFrom('group_rosters')
    .select(['seq', 'bytes', 'signer_fpr'])
    .where('entry_group_id', '=', groupId)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { seq, bytes, signer_fpr: signerFingerprint } = row;
  return { seq, bytes, hash: sha256(bytes).toString('hex'), signerFingerprint };
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

/** `fpr` is null without keys. */
export async function listPeople(
  db: Database,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, { readonly fpr: string | null; readonly isService: boolean }>> {
  const rows = await db.read
    .selectFrom('users')
    .leftJoin('user_keysets', 'user_keysets.user_id', 'users.user_id')
    .select(['users.user_id', 'users.kind', 'user_keysets.fpr'])
    .where('users.user_id', 'in', userIds)
    .execute();
  return new Map(rows.map(({ user_id, fpr, kind }) => [user_id, { fpr, isService: kind === 'service' }]));
}

export interface PresentGroup {
  readonly groupId: string;
  readonly gkVersion: number;
  /** Hex. */
  readonly gkCommit: string;
  /** Null if the members are not signed yet. */
  readonly rosterSeq: number | null;
  readonly roster: (StoredRoster & { readonly signerFingerprint: string }) | null;
  /** The fingerprint is '' without keys; no roster can name it. */
  readonly members: readonly RosterMember[];
}

/** Leaves out the trash. */
export async function listPresentGroups(
  tx: Transact,
  groupIds: readonly string[],
): Promise<ReadonlyMap<string, PresentGroup>> {
  const [groups, rows] = [await GROUPS(tx, groupIds), await MEMBERS(tx, groupIds)];
  const members = new Map<string, Map<string, RosterMember>>(groups.map(({ entry_group_id: id }) => [id, new Map()]));
  for (const { entry_group_id: groupId, user_id: userId, role, fpr } of rows)
    members.get(groupId)?.set(userId, { userId, role, fingerprint: fpr ?? '' });
  return new Map(
    groups.map(({ entry_group_id: groupId, gk_version, gk_commit, roster_seq: seq, bytes, signer_fpr }) => {
      const isSigned = seq !== null && bytes !== null && signer_fpr !== null;
      const hash = isSigned ? sha256(bytes).toString('hex') : '';
      const roster = isSigned ? { seq, hash, bytes, signerFingerprint: signer_fpr } : null;
      const people = [...(members.get(groupId)?.values() ?? [])];
      const gkCommit = gk_commit?.toString('hex') ?? '';
      return [groupId, { groupId, gkVersion: gk_version, gkCommit, rosterSeq: seq, roster, members: people }];
    }),
  );
}

const GROUPS = preparedAmong((db, ids) =>
  db
    .selectFrom('entry_groups')
    .leftJoin('group_keys', (join) =>
      join
        .onRef('group_keys.entry_group_id', '=', 'entry_groups.entry_group_id')
        .onRef('group_keys.gk_version', '=', 'entry_groups.gk_version'),
    )
    .leftJoin('group_rosters', (join) =>
      join
        .onRef('group_rosters.entry_group_id', '=', 'entry_groups.entry_group_id')
        .onRef('group_rosters.seq', '=', 'entry_groups.roster_seq'),
    )
    .select(['entry_groups.entry_group_id', 'entry_groups.gk_version', 'entry_groups.roster_seq'])
    .select(['group_keys.gk_commit', 'group_rosters.bytes', 'group_rosters.signer_fpr'])
    .where('entry_groups.entry_group_id', 'in', ids)
    .where('entry_groups.trashed_by', 'is', null),
);

const MEMBERS = preparedAmong((db, ids) =>
  db
    .selectFrom('group_members')
    .leftJoin('user_keysets', 'user_keysets.user_id', 'group_members.user_id')
    .select(['group_members.entry_group_id', 'group_members.user_id', 'group_members.role', 'user_keysets.fpr'])
    .where('group_members.entry_group_id', 'in', ids),
);

export const roleIn = ({ members }: PresentGroup, userId: string): Role | null =>
  members.find((member) => member.userId === userId)?.role ?? null;

export interface PresentRecipient extends Recipient {
  readonly isDisabled: boolean;
}

/** Leaves out people without keys. */
export async function listPresentRecipients(
  tx: Transact,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, PresentRecipient>> {
  const recipients = await listRecipients(tx, userIds);
  const disabled = new Set((await DISABLED(tx, userIds)).map(({ user_id }) => user_id));
  return new Map([...recipients].map(([userId, one]) => [userId, { ...one, isDisabled: disabled.has(userId) }]));
}

const DISABLED = preparedAmong((db, ids) =>
  db.selectFrom('users').select('user_id').where('user_id', 'in', ids).where('disabled_at', 'is not', null),
);
