/** Changes that one person can see. Every query reads a bounded number of rows. */
import type { Kysely } from 'kysely';
import { ancestorsOf } from '@passwordbroker/core/domain/groups/group-tree';
import { portions } from '../db/portions.ts';
import type { Tables } from '../db/schema/tables.ts';
import type { Since } from './changes-repository.ts';
import { takeCursorIn } from '../db/change-stamp.ts';
import { type Transact, dialectOf } from '../db/database.ts';

type Reader = Kysely<Tables>;

export const LOOKED_AT = 200;
const ONE_MORE = LOOKED_AT + 1;

/** Of the whole site: reads the ends of three indexes. */
export async function hasAnythingChanged(read: Reader, stamp: number): Promise<boolean> {
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

/** Also true if more has changed than the queries read. */
export async function hasOwnChanged(read: Reader, since: Since): Promise<boolean> {
  if (await isAccessChanged(read, since)) return true;
  const groups = await changedGroups(read, since);
  const entries = await entryMarks(read, since);
  if ([...groups, ...entries].some(({ member }) => member !== null)) return true;
  if (groups.length > LOOKED_AT || entries.length > LOOKED_AT) return isOneOfFewChanged(read, since);
  const moved = groups.filter(({ tree_stamp }) => tree_stamp >= since.stamp).map(({ entry_group_id: id }) => id);
  return moved.length > 0 && hasOwnBelow(read, since.userId, moved);
}

async function isAccessChanged(read: Reader, { userId, stamp }: Since): Promise<boolean> {
  const access = await read
    .selectFrom('changed_access')
    .select('stamp')
    .where('user_id', '=', userId)
    .where('stamp', '>=', stamp)
    .limit(1)
    .execute();
  return access.length > 0;
}

/** `member` is null for groups of others. */
async function changedGroups(read: Reader, { userId, stamp }: Since) {
  return read
    .selectFrom('changed_groups')
    .leftJoin('group_members', (join) =>
      join
        .onRef('group_members.entry_group_id', '=', 'changed_groups.entry_group_id')
        .on('group_members.user_id', '=', userId),
    )
    .select(['changed_groups.entry_group_id', 'changed_groups.tree_stamp', 'group_members.user_id as member'])
    .where('changed_groups.head_stamp', '>=', stamp)
    .orderBy('changed_groups.head_stamp', 'desc')
    .limit(ONE_MORE)
    .execute();
}

async function entryMarks(read: Reader, { userId, stamp }: Since) {
  return read
    .selectFrom('changed_entries')
    .leftJoin('group_members', (join) =>
      join
        .onRef('group_members.entry_group_id', '=', 'changed_entries.entry_group_id')
        .on('group_members.user_id', '=', userId),
    )
    .select('group_members.user_id as member')
    .where('changed_entries.stamp', '>=', stamp)
    .orderBy('changed_entries.stamp', 'desc')
    .limit(ONE_MORE)
    .execute();
}

/** Whether one of the person's groups lies below. */
async function hasOwnBelow(read: Reader, userId: string, moved: readonly string[]): Promise<boolean> {
  const below = await read
    .selectFrom('entry_groups as above')
    // Paths are ids and dots; '.' sorts directly before '/'.
    .innerJoin('entry_groups as below', (join) =>
      join
        .on((eb) => eb('below.materialized_path', '>', eb('above.materialized_path', '||', eb.val('.'))))
        .on((eb) => eb('below.materialized_path', '<', eb('above.materialized_path', '||', eb.val('/')))),
    )
    .leftJoin('group_members', (join) =>
      join.onRef('group_members.entry_group_id', '=', 'below.entry_group_id').on('group_members.user_id', '=', userId),
    )
    .select('group_members.user_id as member')
    .where('above.entry_group_id', 'in', moved)
    .limit(ONE_MORE)
    .execute();
  return below.length > LOOKED_AT || below.some(({ member }) => member !== null);
}

/** After many changes, checks the person's own groups if they are few. */
async function isOneOfFewChanged(read: Reader, { userId, stamp }: Since): Promise<boolean> {
  const own = await read
    .selectFrom('group_members')
    .innerJoin('entry_groups', 'entry_groups.entry_group_id', 'group_members.entry_group_id')
    .select((eb) => [
      'entry_groups.materialized_path',
      eb
        .exists(
          eb
            .selectFrom('changed_groups')
            .select('changed_groups.head_stamp')
            .whereRef('changed_groups.entry_group_id', '=', 'group_members.entry_group_id')
            .where('changed_groups.head_stamp', '>=', stamp),
        )
        .as('is_head'),
      eb
        .exists(
          eb
            .selectFrom('changed_entries')
            .select('changed_entries.stamp')
            .whereRef('changed_entries.entry_group_id', '=', 'group_members.entry_group_id')
            .where('changed_entries.stamp', '>=', stamp),
        )
        .as('is_entry'),
    ])
    .where('group_members.user_id', '=', userId)
    .limit(ONE_MORE)
    .execute();
  // Booleans are numbers in SQLite.
  if (own.length > LOOKED_AT || own.some(({ is_head, is_entry }) => Boolean(is_head) || Boolean(is_entry))) return true;
  const above = [...new Set(own.flatMap(({ materialized_path }) => ancestorsOf(materialized_path)))];
  for (const portion of portions(above)) {
    const moved = await read
      .selectFrom('changed_groups')
      .select('entry_group_id')
      .where('entry_group_id', 'in', portion)
      .where('tree_stamp', '>=', stamp)
      .limit(1)
      .execute();
    if (moved.length > 0) return true;
  }
  return false;
}

/** Longer than the thirty days after which a client wipes an unsynced copy (docs/spec/crypto.md §16). */
const KEPT_MS = 60 * 24 * 3_600_000;
/** Every copy in progress has ended by then. */
const SETTLED_MS = 3_600_000;

/**
 * Deletes abandoned copies and unneeded change marks: those below the oldest stamp, both now and an hour ago,
 * so copies in progress keep theirs.
 */
export async function deleteUnneededChanges(tx: Transact, now: number): Promise<void> {
  await tx
    .deleteFrom('offline_copies')
    .where('created_at', '<', now - KEPT_MS)
    .execute();
  const floor = await tx.selectFrom('change_floor').select(['stamp', 'noted_at']).executeTakeFirst();
  // After a clock was set back.
  const isNoted = floor !== undefined && floor.noted_at <= now;
  if (isNoted && floor.noted_at > now - SETTLED_MS) return;
  const stamp = await oldestNeeded(tx);
  if (isNoted) await deleteBelow(tx, Math.min(floor.stamp, stamp));
  const columns = { stamp, noted_at: now };
  await tx
    .insertInto('change_floor')
    .values({ id: 1, ...columns })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .execute();
}

/** Without copies, only later changes matter. */
async function oldestNeeded(tx: Transact): Promise<number> {
  const oldest = await tx.selectFrom('offline_copies').select('stamp').orderBy('stamp').limit(1).executeTakeFirst();
  return oldest?.stamp ?? takeCursorIn(tx);
}

async function deleteBelow(tx: Transact, stamp: number): Promise<void> {
  await tx
    .deleteFrom('changed_entries')
    .where((eb) => {
      const unneeded = tx
        .selectFrom('changed_entries')
        .select(['entry_group_id', 'entry_id'])
        .where('stamp', '<', stamp);
      // Skips rows that other transactions mark, so it cannot deadlock.
      const free = dialectOf(tx) === 'postgres' ? unneeded.forUpdate().skipLocked() : unneeded;
      return eb(eb.refTuple('entry_group_id', 'entry_id'), 'in', free.$asTuple('entry_group_id', 'entry_id'));
    })
    .execute();
  await tx.deleteFrom('changed_access').where('stamp', '<', stamp).execute();
}
