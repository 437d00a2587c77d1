import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database, Transact } from '../database.ts';

/** Ordinary changes add a few segments. */
const PARTS_ALLOWED = 4;
/** Pages of 4 KiB per transaction: writers wait only briefly. */
const PAGES_A_STEP = 32;
const REST_MS = 25;

/**
 * Merges FTS5 segments stepwise while no transaction writes; the next call continues. Each search reads every
 * segment.
 */
export async function mergeSearchIndex(
  db: Pick<Database, 'dialect' | 'read' | 'transactIfFree'>,
  signal?: AbortSignal,
): Promise<void> {
  if (db.dialect !== 'sqlite' || (await countParts(db)) <= PARTS_ALLOWED) return;
  // A negative number starts a merge.
  let pages = -PAGES_A_STEP;
  while (signal?.aborted !== true) {
    const isOver = await db.transactIfFree((tx) => mergeSome(tx, pages));
    if (isOver !== false) return;
    pages = PAGES_A_STEP;
    await pause(REST_MS);
  }
}

export async function countParts({ read }: Pick<Database, 'read'>): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(distinct segid) as n from entry_search_trigrams_idx`.execute(
    read,
  );
  return rows[0]?.n ?? 0;
}

/** Whether the merge is complete. FTS5 counts the command as one change. */
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
