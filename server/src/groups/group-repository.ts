/** Queries exclude the trash unless they say otherwise. */
import type { Selectable } from 'kysely';
import type { Database, Transact } from '../db/database.ts';
import { prepared, preparedAmong } from '../db/prepared.ts';
import { jsonText, linesOf } from '../db/row-text.ts';
import { indexGroupName } from '../db/text-search/search-index.ts';
import type { Tables } from '../db/schema/tables.ts';
import type { Role } from '@passwordbroker/core/domain/policy';
import { portions } from '../db/portions.ts';
import type { Recipient } from './group-key-checks.ts';

export type GroupRow = Selectable<Tables['entry_groups']>;

/** `is_pending`: revisions still need earlier key versions. */
export async function listMemberGroups(db: Database, userId: string) {
  return db.read
    .selectFrom('group_members')
    .innerJoin('entry_groups', 'entry_groups.entry_group_id', 'group_members.entry_group_id')
    .selectAll('entry_groups')
    .select('group_members.role')
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('group_grants')
            .select('group_grants.gk_version')
            .whereRef('group_grants.entry_group_id', '=', 'entry_groups.entry_group_id')
            .whereRef('group_grants.gk_version', '<', 'entry_groups.gk_version'),
        )
        .as('is_pending'),
    )
    .where('group_members.user_id', '=', userId)
    .where('entry_groups.trashed_by', 'is', null)
    .execute();
}

/** Returns one line for each group: path, title as JSON, role. */
export async function readTreeLines(db: Pick<Database, 'read'>, userId: string): Promise<string> {
  return (await OWN_TREE_LINES.all(db.read, { userId }))[0]?.lines ?? '';
}

const OWN_TREE_LINES = prepared((db, given: { readonly userId: string }) =>
  db
    .selectFrom('group_members')
    .innerJoin('entry_groups', 'entry_groups.entry_group_id', 'group_members.entry_group_id')
    .select((eb) =>
      linesOf([
        eb.ref('entry_groups.materialized_path'),
        jsonText(db, eb.ref('entry_groups.name')),
        eb.ref('group_members.role'),
      ]).as('lines'),
    )
    .where('group_members.user_id', '=', given.userId)
    .where('entry_groups.trashed_by', 'is', null),
);

/** Like `readTreeLines`, by ids and without role. */
export async function readTreeLinesOf(db: Pick<Database, 'read'>, ids: readonly string[]): Promise<string[]> {
  return (await TREE_LINES(db.read, ids)).map(({ lines }) => lines ?? '');
}

const TREE_LINES = preparedAmong((db, ids) =>
  db
    .selectFrom('entry_groups')
    .select((eb) => linesOf([eb.ref('materialized_path'), jsonText(db, eb.ref('name'))]).as('lines'))
    .where('entry_group_id', 'in', ids)
    .where('trashed_by', 'is', null),
);

/** Includes the trash. */
export async function isGroupIdTaken(tx: Transact, groupId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('entry_groups')
    .select('entry_group_id')
    .where('entry_group_id', '=', groupId)
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertGroup(tx: Transact, row: Tables['entry_groups']): Promise<void> {
  await tx.insertInto('entry_groups').values(row).execute();
}

export async function updateGroupName(
  tx: Transact,
  groupId: string,
  columns: Pick<GroupRow, 'name' | 'name_folded' | 'updated_at'>,
): Promise<void> {
  await tx.updateTable('entry_groups').set(columns).where('entry_group_id', '=', groupId).execute();
  await indexGroupName(tx, groupId, columns.name_folded);
}

const membersWithNames = (db: Database) =>
  db.read
    .selectFrom('group_members')
    .innerJoin('users', 'users.user_id', 'group_members.user_id')
    .leftJoin('user_keysets', 'user_keysets.user_id', 'group_members.user_id')
    .leftJoin('service_accounts', 'service_accounts.user_id', 'group_members.user_id')
    .leftJoin('users as owners', 'owners.user_id', 'service_accounts.owner_id')
    .selectAll('group_members')
    .select(['users.name', 'users.kind', 'owners.name as owner_name', 'user_keysets.fpr']);

/** @param only limits to admins and one person */
export async function listMembers(db: Database, groupId: string, only?: { readonly adminsAnd: string }) {
  let query = membersWithNames(db).where('group_members.entry_group_id', '=', groupId);
  if (only !== undefined) {
    query = query.where((eb) =>
      eb.or([eb('group_members.role', '=', 'admin'), eb('group_members.user_id', '=', only.adminsAnd)]),
    );
  }
  return query.execute();
}

export async function findMember(db: Database, groupId: string, userId: string): Promise<MemberRow | undefined> {
  return membersWithNames(db)
    .where('group_members.entry_group_id', '=', groupId)
    .where('group_members.user_id', '=', userId)
    .executeTakeFirst();
}

export async function listMembersOfMany(db: Database, groupIds: readonly string[]) {
  return membersWithNames(db).where('group_members.entry_group_id', 'in', groupIds).execute();
}

/** May return other members of these groups too. */
export async function listMembersAmong(
  db: Database,
  places: readonly { readonly groupId: string; readonly targetId: string }[],
) {
  const [groupIds, userIds] = [places.map(({ groupId }) => groupId), places.map(({ targetId }) => targetId)];
  return membersWithNames(db)
    .where('group_members.entry_group_id', 'in', [...new Set(groupIds)])
    .where('group_members.user_id', 'in', [...new Set(userIds)])
    .execute();
}

export type MemberRow = Awaited<ReturnType<typeof listMembers>>[number];

export async function listMemberCertificates(db: Database, groupId: string) {
  return db.read
    .selectFrom('group_members')
    .innerJoin('user_keysets', 'user_keysets.user_id', 'group_members.user_id')
    .innerJoin('user_certificates', 'user_certificates.fpr', 'user_keysets.fpr')
    .selectAll('user_certificates')
    .where('group_members.entry_group_id', '=', groupId)
    .execute();
}

export async function listRoles(tx: Transact, groupId: string): Promise<{ user_id: string; role: Role }[]> {
  return tx.selectFrom('group_members').select(['user_id', 'role']).where('entry_group_id', '=', groupId).execute();
}

/** Leaves out people without keys. */
export async function listRecipients(tx: Transact, userIds: readonly string[]): Promise<Map<string, Recipient>> {
  const recipients = new Map<string, Recipient>();
  for (const portion of portions(userIds)) {
    const rows = await tx
      .selectFrom('user_keysets')
      .innerJoin('user_certificates', 'user_certificates.fpr', 'user_keysets.fpr')
      .select(['user_keysets.user_id', 'user_keysets.fpr', 'user_certificates.rsa_spki'])
      .where('user_keysets.user_id', 'in', portion)
      .execute();
    for (const row of rows) recipients.set(row.user_id, { fingerprint: row.fpr, bits: modulusBits(row.rsa_spki) });
  }
  return recipients;
}

/** Stored keys are checked, so length determines the modulus (docs/spec/crypto.md §7). */
const modulusBits = (spki: Buffer) => (spki.length < 500 ? 3072 : 4096);

export async function insertMembers(tx: Transact, rows: readonly Tables['group_members'][]): Promise<void> {
  for (const portion of portions(rows)) await tx.insertInto('group_members').values(portion).execute();
}
