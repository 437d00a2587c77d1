/** Changes that one person can see. Reads only the indexed change tables, never all entries. */
import type { Kysely } from 'kysely';
import { ancestorsOf } from '@passwordbroker/core/domain/groups/group-tree';
import { portions } from '../db/portions.ts';
import type { Tables } from '../db/schema/tables.ts';

type Reader = Kysely<Tables>;

export interface Since {
  readonly userId: string;
  readonly stamp: number;
}

/** Moved or renamed, of the whole site. */
export async function listTreeChanges(read: Reader, stamp: number): Promise<string[]> {
  const rows = await read
    .selectFrom('changed_groups')
    .select('entry_group_id')
    .where('tree_stamp', '>=', stamp)
    .execute();
  return rows.map(({ entry_group_id }) => entry_group_id);
}

/** Stamp of the newest visible change, at least `least`. Reads each of the person's groups. */
export async function newestOwnChange(read: Reader, userId: string, least: number): Promise<number> {
  const own = await read
    .selectFrom('group_members')
    .innerJoin('entry_groups', 'entry_groups.entry_group_id', 'group_members.entry_group_id')
    .leftJoin('changed_groups', 'changed_groups.entry_group_id', 'group_members.entry_group_id')
    .select((eb) => [
      'entry_groups.materialized_path',
      'changed_groups.head_stamp as head',
      eb
        .selectFrom('changed_entries')
        .select((max) => max.fn.max<number | null>('changed_entries.stamp').as('stamp'))
        .whereRef('changed_entries.entry_group_id', '=', 'group_members.entry_group_id')
        .as('entries'),
    ])
    .where('group_members.user_id', '=', userId)
    .execute();
  const access = await read
    .selectFrom('changed_access')
    .select((max) => max.fn.max<number | null>('stamp').as('stamp'))
    .where('user_id', '=', userId)
    .executeTakeFirst();
  const above = new Set(own.flatMap(({ materialized_path }) => ancestorsOf(materialized_path)));
  const moved = await read
    .selectFrom('changed_groups')
    .select(['entry_group_id', 'tree_stamp'])
    .where('tree_stamp', '>', least)
    .execute();
  let newest = Math.max(least, Number(access?.stamp ?? 0));
  for (const { head, entries } of own) newest = Math.max(newest, Number(head ?? 0), Number(entries ?? 0));
  for (const { entry_group_id, tree_stamp } of moved) {
    if (above.has(entry_group_id)) newest = Math.max(newest, Number(tree_stamp));
  }
  return newest;
}

/** Also of groups left since. */
export async function listAccessChanges(read: Reader, { userId, stamp }: Since) {
  return read
    .selectFrom('changed_access')
    .select(['entry_group_id', 'whole_stamp'])
    .where('user_id', '=', userId)
    .where('stamp', '>=', stamp)
    .execute();
}

/** Including the trash. */
export async function listGroupStamps(read: Reader, userId: string) {
  return read
    .selectFrom('group_members')
    .innerJoin('entry_groups', 'entry_groups.entry_group_id', 'group_members.entry_group_id')
    .innerJoin('changed_groups', 'changed_groups.entry_group_id', 'group_members.entry_group_id')
    .select([
      'group_members.entry_group_id',
      'entry_groups.trashed_by',
      'changed_groups.head_stamp',
      'changed_groups.whole_stamp',
    ])
    .where('group_members.user_id', '=', userId)
    .execute();
}

/** `isThere`: the entry still lives in that group. */
export async function listChangedEntries(read: Reader, userId: string, stamp: number) {
  const rows = await read
    .selectFrom('group_members')
    .innerJoin('changed_entries', 'changed_entries.entry_group_id', 'group_members.entry_group_id')
    .leftJoin('entries', (join) =>
      join
        .onRef('entries.entry_id', '=', 'changed_entries.entry_id')
        .onRef('entries.entry_group_id', '=', 'changed_entries.entry_group_id')
        .on('entries.trashed_by', 'is', null),
    )
    .select(['changed_entries.entry_group_id', 'changed_entries.entry_id', 'entries.entry_id as living'])
    .where('group_members.user_id', '=', userId)
    .where('changed_entries.stamp', '>=', stamp)
    .execute();
  return rows.map(({ living, ...row }) => ({ ...row, isThere: living !== null }));
}

/** Of live entries, by group. */
export async function listEntryIds(read: Reader, groupIds: readonly string[]): Promise<Map<string, string[]>> {
  const ids = new Map<string, string[]>(groupIds.map((id) => [id, []]));
  for (const portion of portions(groupIds)) {
    const rows = await read
      .selectFrom('entries')
      .select(['entry_id', 'entry_group_id'])
      .where('entry_group_id', 'in', portion)
      .where('trashed_by', 'is', null)
      .execute();
    for (const { entry_id, entry_group_id } of rows) ids.get(entry_group_id)?.push(entry_id);
  }
  return ids;
}
