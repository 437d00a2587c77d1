/**
 * Stores a whole batch whose rows another thread, or this one, makes: all of it in one transaction, or nothing. Runs in a thread of its own, with its
 * own writing connection; the database is asked for as late as that costs no time.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BulkWriter } from '../db/bulk-writer.ts';
import type { Transact } from '../db/database.ts';
import { brokenUniqueness } from '../db/failures.ts';
import { countRows } from '../db/packed-rows.ts';
import type { BatchRows, RowPortion } from './batch-rows.ts';
import { findRepeat } from './import-repeat.ts';
import type { ImportAnswer, ImportJob } from './import-job.ts';
import { beginWriting } from './write-batch.ts';

/** While another thread is still at it, writing begins when this share has arrived: it is the faster of the two, so they end together. */
const SHARE_BEFORE_WRITING = 0.2;

export interface Surroundings {
  readonly writer: BulkWriter;
  /** Fulfilled when nobody else writes to the database. */
  readonly askForTurn: () => Promise<void>;
  readonly signal: AbortSignal;
}

export interface Stored {
  readonly answer: ImportAnswer;
  /** The same request had been served before. */
  readonly isRepeat: boolean;
}

/** Throws `AppError` for a batch that must not be stored, and whatever the signal was aborted with. */
export async function storeBatch(
  job: Omit<ImportJob, 'source'>,
  rows: BatchRows,
  { writer, signal, askForTurn }: Surroundings,
): Promise<Stored> {
  const head = await rows.head();
  const arrived = { revisions: 0 };
  const portions = watched(rows.portions(), arrived, signal);
  const waiting = await gather(portions, head.fields * SHARE_BEFORE_WRITING);
  await askForTurn();
  signal.throwIfAborted();
  const repeated = async (tx: Transact) => {
    const repeat = await findRepeat(tx, job, head);
    if (repeat === null) return null;
    // What came before is told again, and it is counted in what came now.
    for await (const _ of portions);
    return { answer: { ...repeat, counts: { ...repeat.counts, revisions: arrived.revisions } }, isRepeat: true };
  };
  const stored = writer.transact(async (tx, insert) => {
    const before = await repeated(tx);
    if (before !== null) return before;
    const writing = await beginWriting(tx, insert, { job, head });
    for (const portion of waiting.splice(0)) await writing.portion(portion);
    for await (const portion of portions) await writing.portion(portion);
    return { answer: await writing.finish(), isRepeat: false };
  });
  return stored.catch(async (error: unknown) => {
    // The same batch at the same time: its groups stood in the way of ours until they were there for good.
    const meanwhile = brokenUniqueness(error) === null ? null : await writer.transact(repeated);
    if (meanwhile === null) throw error;
    return meanwhile;
  });
}

/** Between two portions a message from outside gets through. */
async function* watched(
  portions: AsyncIterable<RowPortion>,
  arrived: { revisions: number },
  signal: AbortSignal,
): AsyncGenerator<RowPortion> {
  for await (const portion of portions) {
    signal.throwIfAborted();
    arrived.revisions += countRows(portion.revisions);
    yield portion;
    await nextTurn();
  }
}

/** @param enough fields */
async function gather(portions: AsyncGenerator<RowPortion>, enough: number): Promise<RowPortion[]> {
  const gathered: RowPortion[] = [];
  for (let fields = 0; fields < enough;) {
    const next = await portions.next();
    if (next.done === true) break;
    gathered.push(next.value);
    fields += countRows(next.value.fields);
  }
  return gathered;
}
