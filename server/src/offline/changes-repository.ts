/** What has changed since a cursor, of what one person sees. Entries are never walked: indexes of the changes answer. */
import type { Kysely } from 'kysely';
import { ancestorsOf } from '@passwordbroker/core/domain/group-tree';
import { portions } from '../db/portions.ts';
import type { Tables } from '../db/schema.ts';

type Reader = Kysely<Tables>;

export interface Since {
  readonly userId: string;
  readonly stamp: number;
}

/** Whether a copy of that cursor would have to be continued. At a quiet site that is one look at three indexes. */
export async function hasChanged(read: Reader, since: Since): Promise<boolean> {
  if (!(await hasAnythingChanged(read, since.stamp))) return false;
  if (await isOwnChanged(read, since)) return true;
  const moved = await listTreeChanges(read, since.stamp);
  if (moved.length === 0) return false;
  const above = await ancestorsOfOwn(read, since.userId);
  return moved.some((id) => above.has(id));
}

async function hasAnythingChanged(read: Reader, stamp: number): Promise<boolean> {
  const newest = await read
    .selectNoFrom((eb) => [
      eb
        .selectFrom('changed_entries')
        .select((max) => max.fn.max<number | null>('stamp').as('stamp'))
        .as('entries'),
      eb
        .selectFrom('changed_groups')
        .select((max) => max.fn.max<number | null>('head_stamp').as('stamp'))
        .as('groups'),
      eb
        .selectFrom('changed_access')
        .select((max) => max.fn.max<number | null>('stamp').as('stamp'))
        .as('access'),
    ])
    .executeTakeFirstOrThrow();
  return Object.values(newest).some((value) => value !== null && Number(value) >= stamp);
}

/** Something in a group where the person is a member, or that he is one. */
async function isOwnChanged(read: Reader, { userId, stamp }: Since): Promise<boolean> {
  const access = await read
    .selectFrom('changed_access')
    .select('stamp')
    .where('user_id', '=', userId)
    .where('stamp', '>=', stamp)
    .limit(1)
    .execute();
  if (access.length > 0) return true;
  const group = await read
    .selectFrom('group_members')
    .select('group_members.entry_group_id')
    .where('group_members.user_id', '=', userId)
    .where((eb) =>
      eb.or([
        eb.exists(
          eb
            .selectFrom('changed_groups')
            .select('changed_groups.head_stamp')
            .whereRef('changed_groups.entry_group_id', '=', 'group_members.entry_group_id')
            .where('changed_groups.head_stamp', '>=', stamp),
        ),
        eb.exists(
          eb
            .selectFrom('changed_entries')
            .select('changed_entries.stamp')
            .whereRef('changed_entries.entry_group_id', '=', 'group_members.entry_group_id')
            .where('changed_entries.stamp', '>=', stamp),
        ),
      ]),
    )
    .limit(1)
    .execute();
  return group.length > 0;
}

/** Groups of the whole site whose place or name in a tree has changed. */
export async function listTreeChanges(read: Reader, stamp: number): Promise<string[]> {
  const rows = await read
    .selectFrom('changed_groups')
    .select('entry_group_id')
    .where('tree_stamp', '>=', stamp)
    .execute();
  return rows.map(({ entry_group_id }) => entry_group_id);
}

async function ancestorsOfOwn(read: Reader, userId: string): Promise<Set<string>> {
  const rows = await read
    .selectFrom('group_members')
    .innerJoin('entry_groups', 'entry_groups.entry_group_id', 'group_members.entry_group_id')
    .select('entry_groups.materialized_path')
    .where('group_members.user_id', '=', userId)
    .where('entry_groups.trashed_by', 'is', null)
    .execute();
  return new Set(rows.flatMap(({ materialized_path }) => ancestorsOf(materialized_path)));
}

/** Changes of the person's own standing in groups; he may be in them no longer. */
export async function listAccessChanges(read: Reader, { userId, stamp }: Since) {
  return read
    .selectFrom('changed_access')
    .select(['entry_group_id', 'whole_stamp'])
    .where('user_id', '=', userId)
    .where('stamp', '>=', stamp)
    .execute();
}

/** All groups of the person, those in the trash too, with the stamps of each. */
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

/** Entries of these groups that changed; `is_there`: it lives in that group. */
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

/** Ids of the living entries of these groups, group by group. */
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
