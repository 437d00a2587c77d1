/**
 * Stamps of changes, as the triggers of migration 0005 write them. A cursor is a stamp below which nothing can change any more: what has changed since it was
 * taken has a stamp that is not lower. Reading something once more is harmless, missing something is not possible.
 */
import { sql } from 'kysely';
import type { Database } from './database.ts';

/** A cursor for whoever reads from now on. With one writer at a time it is a number of our own; else the lowest transaction that is still at work. */
export async function takeCursor(db: Database): Promise<number> {
  const { rows } =
    db.dialect === 'sqlite'
      ? await db.note((tx) => sql<Taken>`update change_clock set stamp = stamp + 1 returning stamp`.execute(tx))
      : await sql<Taken>`select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as stamp`.execute(db.read);
  return Number(rows[0]?.stamp);
}

interface Taken {
  readonly stamp: number | string;
}
