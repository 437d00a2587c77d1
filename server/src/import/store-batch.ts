/**
 * Stores a whole batch whose rows another thread, or this one, makes: all of it in one transaction, or nothing. Runs in a thread of its own, with its
 * own writing connection. The database is asked for when all of the batch has been checked and its bodies are stored, so that nobody ever waits for a
 * check, and a batch that is refused has never had it.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BulkWriter } from '../db/bulk-writer.ts';
import type { Transact } from '../db/database.ts';
import { brokenUniqueness } from '../db/failures.ts';
import { countRows } from '../db/packed-rows.ts';
import type { BatchRows, RowPortion } from './batch-rows.ts';
import { findRepeat } from './import-repeat.ts';
import type { ImportAnswer, ImportJob } from './import-job.ts';
import { portionSpool } from './portion-spool.ts';
import { beginWriting } from './write-batch.ts';

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
  const { checked, revisions } = await gather(rows.portions(), signal);
  await askForTurn();
  signal.throwIfAborted();
  const repeated = async (tx: Transact) => {
    const repeat = await findRepeat(tx, job, head);
    if (repeat === null) return null;
    // What came before is told again, and it is counted in what came now.
    return { answer: { ...repeat, counts: { ...repeat.counts, revisions } }, isRepeat: true };
  };
  const stored = writer.transact(async (tx, insert) => {
    const before = await repeated(tx);
    if (before !== null) return before;
    const writing = await beginWriting(tx, insert, { job, head });
    for (const portion of checked.taken()) {
      signal.throwIfAborted();
      await writing.portion(portion);
      await nextTurn();
    }
    return { answer: await writing.finish(), isRepeat: false };
  });
  return stored.catch(async (error: unknown) => {
    // The same batch at the same time: its groups stood in the way of ours until they were there for good.
    const meanwhile = brokenUniqueness(error) === null ? null : await writer.transact(repeated);
    if (meanwhile === null) throw error;
    return meanwhile;
  });
}

/** Everything that has been checked. Between two portions a message from outside gets through, here as in writing. */
async function gather(portions: AsyncIterable<RowPortion>, signal: AbortSignal) {
  const checked = portionSpool();
  let revisions = 0;
  for await (const portion of portions) {
    signal.throwIfAborted();
    checked.add(portion);
    revisions += countRows(portion.revisions);
    await nextTurn();
  }
  return { checked, revisions };
}
