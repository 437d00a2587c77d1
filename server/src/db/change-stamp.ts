/**
 * Change stamps, written by the triggers of migration 0005. Changes after a cursor have at least its stamp:
 * they may be read twice, but are never missed.
 */
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { dialectOf, type Database } from './database.ts';
import { lockMigrations } from './schema/migrate.ts';
import type { Tables } from './schema/tables.ts';

const PATIENCE_MS = 250;

/**
 * Returns a cursor for reads from now on: the next stamp on SQLite (after `PATIENCE_MS` the last one), the
 * oldest running transaction on PostgreSQL.
 */
export async function takeCursor(db: Database): Promise<number> {
  if (db.dialect !== 'sqlite') return takeCursorIn(db.read);
  return new Promise((resolve, reject) => {
    const patience = setTimeout(() => resolve(lastCursor(db.read)), PATIENCE_MS);
    // Ignored after the timeout.
    void db
      .transactBeside(takeCursorIn)
      .then(resolve, reject)
      .finally(() => clearTimeout(patience));
  });
}

/** No later change has a lower stamp, as the clock only increases. Equal ones are read again. */
async function lastCursor(read: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<Taken>`select stamp from change_clock`.execute(read);
  return Number(rows[0]?.stamp);
}

/** As `takeCursor`, for reads in this transaction. */
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
 * Call it on PostgreSQL before the first write. Stamps of a dump from another cluster may exceed this one's
 * transaction ids and hide changes; then all copies are downloaded again.
 * @returns whether there were such stamps
 */
export async function forgetForeignStamps(db: Kysely<Tables>): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await lockMigrations(tx);
    if (!(await hasForeignStamps(tx))) return false;
    // Another process may already run transactions.
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

/** `head_stamp` and `stamp` are never below other stamps of their row. */
async function hasForeignStamps(tx: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql`
    select 1 as found where greatest(
      (select max(stamp) from offline_copies), (select max(stamp) from changed_entries), (select max(stamp) from changed_access),
      (select max(head_stamp) from changed_groups), (select max(tree_stamp) from changed_groups)
    ) > pg_snapshot_xmax(pg_current_snapshot())::text::bigint`.execute(tx);
  return rows.length > 0;
}
