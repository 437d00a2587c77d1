/** Rows of entry groups and their members. Everything here leaves out what lies in the trash. */
import type { Selectable } from 'kysely';
import type { Role } from '@passwordbroker/core/domain/policy';
import type { Database, Transact } from '../db/database.ts';
import { prepared, preparedAmong } from '../db/prepared.ts';
import { indexGroupName } from '../db/search-index.ts';
import type { Tables } from '../db/schema.ts';
import { findGroup } from '../http/path-repository.ts';

export type GroupRow = Selectable<Tables['entry_groups']>;

/** The groups of which the person is a member, with the role; `is_pending`: grants of former versions are kept as long as revisions need them. */
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

/** What a tree shows of a group; its id and those above it are in the path. */
type TreeRow = Pick<GroupRow, 'materialized_path' | 'name'>;

/** Of the person's own groups. */
export async function listTreeRows(
  db: Pick<Database, 'read'>,
  userId: string,
): Promise<(TreeRow & { readonly role: Role })[]> {
  return OWN_TREE_ROWS.all(db.read, { userId });
}

const OWN_TREE_ROWS = prepared((db, given: { readonly userId: string }) =>
  db
    .selectFrom('group_members')
    .innerJoin('entry_groups', 'entry_groups.entry_group_id', 'group_members.entry_group_id')
    .select(['entry_groups.materialized_path', 'entry_groups.name', 'group_members.role'])
    .where('group_members.user_id', '=', given.userId)
    .where('entry_groups.trashed_by', 'is', null),
);

/** Of groups by their ids, each of them once: for the ancestors on the way. */
export async function listTreeRowsOf(db: Pick<Database, 'read'>, ids: readonly string[]): Promise<TreeRow[]> {
  return TREE_ROWS(db.read, ids);
}

const TREE_ROWS = preparedAmong((db, ids) =>
  db
    .selectFrom('entry_groups')
    .select(['materialized_path', 'name'])
    .where('entry_group_id', 'in', ids)
    .where('trashed_by', 'is', null),
);

/** A living group with the person's role in it, as it stands inside an act. */
export const findGroupInAct = (tx: Transact, groupId: string, userId: string) =>
  findGroup({ read: tx }, groupId, userId);

/** Whether any group, living or in the trash, has this id. */
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
