import { type SelectQueryBuilder, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import type { Tables } from '../db/schema/tables.ts';
import { inSubtree } from '../operations/trash/subtree-repository.ts';

/** Values in use in a group, or in one of its entries, without links. */
export async function countValues(db: Database, groupId: string, entryId: string | undefined): Promise<number> {
  const rows = db.read
    .selectFrom('entries')
    .innerJoin('fields', 'fields.entry_id', 'entries.entry_id')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('entries.entry_group_id', '=', groupId)
    .where('entries.trashed_by', 'is', null)
    .where('fields.trashed_by', 'is', null)
    .where('fields.type', '!=', 'link');
  const chosen = entryId === undefined ? rows : rows.where('entries.entry_id', '=', entryId);
  return Number((await chosen.executeTakeFirstOrThrow()).count);
}

/** These groups, if outside the trash, with the person's role; null for non-members. */
export async function listOwnRoles(db: Database, groupIds: readonly string[], userId: string) {
  return db.read
    .selectFrom('entry_groups')
    .leftJoin('group_members', (join) =>
      join
        .onRef('group_members.entry_group_id', '=', 'entry_groups.entry_group_id')
        .on('group_members.user_id', '=', userId),
    )
    .select(['entry_groups.entry_group_id', 'entry_groups.roster_seq', 'group_members.role'])
    .where('entry_groups.entry_group_id', 'in', groupIds)
    .where('entry_groups.trashed_by', 'is', null)
    .execute();
}

/** Members of these groups with their names. @param userIds returns only these people */
export async function listRoles(db: Database, groupIds: readonly string[], userIds?: readonly string[]) {
  const rows = db.read
    .selectFrom('group_members')
    .innerJoin('users', 'users.user_id', 'group_members.user_id')
    .select(['group_members.entry_group_id', 'group_members.user_id', 'group_members.role', 'users.name'])
    .where('group_members.entry_group_id', 'in', groupIds);
  return (userIds === undefined ? rows : rows.where('group_members.user_id', 'in', userIds)).execute();
}

/** Groups with exactly one admin. */
export async function listWithOneAdmin(db: Database, groupIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.read
    .selectFrom('group_members')
    .select('entry_group_id')
    .where('entry_group_id', 'in', groupIds)
    .where('role', '=', 'admin')
    .groupBy('entry_group_id')
    .having((eb) => eb.fn.countAll(), '=', 1)
    .execute();
  return new Set(rows.map(({ entry_group_id }) => entry_group_id));
}

/** `fpr` is null without keys. */
export async function listPeopleToAdd(db: Database, userIds: readonly string[]) {
  return db.read
    .selectFrom('users')
    .leftJoin('user_keysets', 'user_keysets.user_id', 'users.user_id')
    .select(['users.user_id', 'users.name', 'users.disabled_at', 'user_keysets.fpr'])
    .where('users.user_id', 'in', userIds)
    .execute();
}

/** Entries outside the trash by group; groups without entries are absent. */
export async function countEntries(db: Database, groupIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await db.read
    .selectFrom('entries')
    .select((eb) => ['entry_group_id', eb.fn.countAll<number>().as('count')])
    .where('entry_group_id', 'in', groupIds)
    .where('trashed_by', 'is', null)
    .groupBy('entry_group_id')
    .execute();
  return new Map(rows.map(({ entry_group_id, count }) => [entry_group_id, Number(count)]));
}

const RANK = sql<number>`max(case group_members.role when 'admin' then 3 when 'moderator' then 2 else 1 end)`;

/** People of a group and of all groups below it, with the number of groups and entries each can see and the highest role (1 to 3). */
export async function listPeopleBelow(db: Database, path: string) {
  const living = db.read.selectFrom('entry_groups').where(inSubtree(path));
  return peopleOf(living, null).execute();
}

/** Like `listPeopleBelow`, for the groups and entries that one operation put into the trash. */
export async function listPeopleInTrash(db: Database, operationId: string) {
  return peopleOf(db.read.selectFrom('entry_groups'), operationId).execute();
}

/** @param trashedBy the id of an operation; null: groups outside the trash */
function peopleOf(groups: SelectQueryBuilder<Tables, 'entry_groups', object>, trashedBy: string | null) {
  const is = trashedBy === null ? 'is' : '=';
  const chosen = groups.where('entry_groups.trashed_by', is, trashedBy);
  const counted = chosen
    .innerJoin('entries', 'entries.entry_group_id', 'entry_groups.entry_group_id')
    .select((eb) => ['entry_groups.entry_group_id', eb.fn.countAll<number>().as('count')])
    .where('entries.trashed_by', is, trashedBy)
    .groupBy('entry_groups.entry_group_id');
  return chosen
    .innerJoin('group_members', 'group_members.entry_group_id', 'entry_groups.entry_group_id')
    .innerJoin('users', 'users.user_id', 'group_members.user_id')
    .leftJoin(counted.as('counted'), 'counted.entry_group_id', 'entry_groups.entry_group_id')
    .select((eb) => [
      'users.user_id',
      'users.name',
      RANK.as('rank'),
      eb.fn.countAll<number>().as('entry_groups'),
      eb.fn.coalesce(eb.fn.sum<number>('counted.count'), sql<number>`0`).as('entries'),
    ])
    .groupBy(['users.user_id', 'users.name']);
}

interface Moving {
  /** Path of the moved group. */
  readonly path: string;
  /** Paths of the target and of the groups above it, root first. */
  readonly chain: readonly string[];
  readonly callerId: string;
}

/**
 * People of the moved group and of all groups below it. `seen`: how many groups of the target's path each person sees
 * in the tree now. `is_named`: whether the caller is a member of one of the person's groups there.
 */
export async function listMovedPeople(db: Database, { path, chain, callerId }: Moving) {
  const levels = chain.map((above, at) => ({ above, level: at + 1 })).toReversed();
  const place = sql.ref('place.materialized_path');
  const whens = levels.map(
    ({ above, level }) => sql`when ${place} = ${above} or ${place} like ${`${above}.%`} then ${sql.lit(level)}`,
  );
  const seen = sql<number>`max(case ${sql.join(whens, sql` `)} else 0 end)`;
  const people = db.read
    .selectFrom('entry_groups')
    .innerJoin('group_members', 'group_members.entry_group_id', 'entry_groups.entry_group_id')
    .leftJoin('group_members as own', (join) =>
      join.onRef('own.entry_group_id', '=', 'entry_groups.entry_group_id').on('own.user_id', '=', callerId),
    )
    .select(['group_members.user_id', sql<number>`max(case when own.id is null then 0 else 1 end)`.as('is_named')])
    .where(inSubtree(path))
    .where('entry_groups.trashed_by', 'is', null)
    .groupBy('group_members.user_id');
  return db.read
    .selectFrom(people.as('people'))
    .innerJoin('users', 'users.user_id', 'people.user_id')
    .innerJoin('group_members', 'group_members.user_id', 'people.user_id')
    .innerJoin('entry_groups as place', 'place.entry_group_id', 'group_members.entry_group_id')
    .select(['users.user_id', 'users.name', 'people.is_named', seen.as('seen')])
    .where('place.trashed_by', 'is', null)
    .groupBy(['users.user_id', 'users.name', 'people.is_named'])
    .execute();
}

export async function listGroupNames(db: Database, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await db.read
    .selectFrom('entry_groups')
    .select(['entry_group_id', 'name'])
    .where('entry_group_id', 'in', ids)
    .execute();
  return new Map(rows.map(({ entry_group_id, name }) => [entry_group_id, name]));
}
