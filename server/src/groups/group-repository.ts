import type { Selectable } from 'kysely';
import type { Database, Transact } from '../db/database.ts';
import { prepared, preparedAmong } from '../db/prepared.ts';
import { jsonText, linesOf } from '../db/row-text.ts';
import { indexGroupName } from '../db/text-search/search-index.ts';
import type { Tables } from '../db/schema/tables.ts';
import { findGroup } from '../http/auth/path-repository.ts';

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

export const findGroupInAct = (tx: Transact, groupId: string, userId: string) =>
  findGroup({ read: tx }, groupId, userId);

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
