/**
 * Stamps of changes, as the triggers of migration 0005 write them. A cursor is a stamp below which nothing can change any more: what has changed since it was
 * taken has a stamp that is not lower. Reading something once more is harmless, missing something is not possible.
 */
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { dialectOf } from './dialect-of.ts';
import type { Database } from './database.ts';
import { lockMigrations } from './migrate.ts';
import type { Tables } from './schema.ts';

/** How long a cursor waits for running transactions; an import takes longer. */
const PATIENCE_MS = 250;

/**
 * Returns a cursor for reads from now on: the next number on SQLite, the oldest running transaction
 * on PostgreSQL. After `PATIENCE_MS` it is the last number, whose changes are then read again.
 */
export async function takeCursor(db: Database): Promise<number> {
  if (db.dialect !== 'sqlite') return takeCursorIn(db.read);
  return new Promise((resolve, reject) => {
    const patience = setTimeout(() => resolve(lastCursor(db.read)), PATIENCE_MS);
    // After the timeout its result and its error are ignored.
    void db
      .transactBeside(takeCursorIn)
      .then(resolve, reject)
      .finally(() => clearTimeout(patience));
  });
}

/** Nothing that is changed from now on has a lower stamp: the clock never goes back, and who is at work began with it or later. */
async function lastCursor(read: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<Taken>`select stamp from change_clock`.execute(read);
  return Number(rows[0]?.stamp);
}

/** As `takeCursor`, for whoever reads from now on within the act. */
export async function takeCursorIn(tx: Kysely<Tables>): Promise<number> {
  const taking =
    dialectOf(tx) === 'sqlite'
      ? sql<Taken>`update change_clock set stamp = stamp + 1 returning stamp`
      : sql<Taken>`select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as stamp`;
  const { rows } = await taking.execute(tx);
  return Number(rows[0]?.stamp);
}

interface Taken {
  readonly stamp: number | string;
}

/**
 * On a server, at the start, before anybody writes: a dump of another cluster brings stamps along that are above the numbers which are given out here, and
 * what changes next would seem older than every copy. All copies are then fetched anew. Stamps that are below are in order: whatever comes is above them.
 * @returns whether there were such
 */
export async function forgetForeignStamps(db: Kysely<Tables>): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await lockMigrations(tx);
    if (!(await hasForeignStamps(tx))) return false;
    // Another process may have started before and be at work.
    await sql`lock table offline_copies, changed_groups, changed_entries, changed_access in share row exclusive mode`.execute(
      tx,
    );
    if (!(await hasForeignStamps(tx))) return false;
    await tx.deleteFrom('offline_copies').execute();
    await tx.deleteFrom('change_floor').execute();
    await tx.deleteFrom('changed_entries').execute();
    await tx.deleteFrom('changed_access').execute();
    await tx.updateTable('changed_groups').set({ head_stamp: 0, tree_stamp: 0, whole_stamp: 0 }).execute();
    return true;
  });
}

/** The ends of five indexes. `head_stamp` and `stamp` are never below the other stamps of their row. */
async function hasForeignStamps(tx: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql`
    select 1 as found where greatest(
      (select max(stamp) from offline_copies), (select max(stamp) from changed_entries), (select max(stamp) from changed_access),
      (select max(head_stamp) from changed_groups), (select max(tree_stamp) from changed_groups)
    ) > pg_snapshot_xmax(pg_current_snapshot())::text::bigint`.execute(tx);
  return rows.length > 0;
}
