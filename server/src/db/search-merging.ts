/**
 * The index of the embedded engine lies in parts: each act adds one, the engine brings small ones together by itself, and a word is looked up in each of them.
 * What an import leaves, a dozen of them, makes a search take half as long again. PostgreSQL tends its index by itself.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database, Transact } from './database.ts';

/** As many as are left alone: who changes a few entries adds some of them all the time. */
const PARTS_ALLOWED = 4;
/** Of 4 KiB each: nobody waits longer than for these. */
const PAGES_A_STEP = 32;
const REST_MS = 25;

/** Makes one part of all, a little at a time, as long as nobody else writes. What was not finished is gone on with the next time. */
export async function mergeSearchIndex(
  db: Pick<Database, 'dialect' | 'read' | 'noteIfFree'>,
  signal?: AbortSignal,
): Promise<void> {
  if (db.dialect !== 'sqlite' || (await countParts(db)) <= PARTS_ALLOWED) return;
  // A number below zero says that whatever parts there are belong together.
  let pages = -PAGES_A_STEP;
  while (signal?.aborted !== true) {
    const isOver = await db.noteIfFree((tx) => mergeSome(tx, pages));
    if (isOver !== false) return;
    pages = PAGES_A_STEP;
    await pause(REST_MS);
  }
}

/** How many parts there are. */
export async function countParts({ read }: Pick<Database, 'read'>): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(distinct segid) as n from entry_search_trigrams_idx`.execute(
    read,
  );
  return rows[0]?.n ?? 0;
}

/** Whether nothing was left to do: the engine counts the command itself as one change. */
async function mergeSome(tx: Transact, pages: number): Promise<boolean> {
  const before = await changesOf(tx);
  await sql`insert into entry_search_trigrams (entry_search_trigrams, rank) values ('merge', cast(${pages} as integer))`.execute(
    tx,
  );
  return (await changesOf(tx)) - before < 2;
}

async function changesOf(tx: Transact): Promise<number> {
  const { rows } = await sql<{ n: number }>`select total_changes() as n`.execute(tx);
  return rows[0]?.n ?? 0;
}
