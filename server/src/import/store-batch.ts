/**
 * Stores a whole batch whose rows another thread makes: all of it in one transaction, or nothing. Runs in a thread of its own, with its own writing
 * connection. All of it is sealed or checked, and its bodies are stored, before the database is asked for: nobody ever waits for that, and a batch that is
 * refused has never had it.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '@passwordbroker/core/contract/problem';
import type { BulkWriter } from '../db/bulk-writer.ts';
import type { Transact } from '../db/database.ts';
import { brokenUniqueness } from '../db/failures.ts';
import { valuesIn } from '../db/packed-rows.ts';
import type { BodyStore } from '../platform/bodies.ts';
import type { BatchRows, PortionBytes, RowPortion } from './batch-rows.ts';
import { findRepeat } from './import-repeat.ts';
import type { ImportAnswer, JobParts } from './import-job.ts';
import { countsOf } from './portion-bytes.ts';
import { portionSpool } from './portion-spool.ts';
import { beginWriting } from './write-batch.ts';

export interface Surroundings {
  readonly writer: BulkWriter;
  /** Fulfilled when nobody else writes to the database. */
  readonly askForTurn: () => Promise<void>;
  readonly signal: AbortSignal;
  readonly bodies: Pick<BodyStore, 'has'>;
}

export interface Stored {
  readonly answer: ImportAnswer;
  /** The same request had been served before. */
  readonly isRepeat: boolean;
}

/** Throws `AppError` for a batch that must not be stored, and whatever the signal was aborted with. */
export async function storeBatch(
  job: JobParts,
  rows: BatchRows,
  { writer, signal, askForTurn, bodies }: Surroundings,
): Promise<Stored> {
  const head = await rows.head();
  const arrived = { revisions: 0 };
  const ready = portionSpool();
  for await (const portion of watched(rows.portions(), arrived, signal)) ready.add(portion);
  await askForTurn();
  signal.throwIfAborted();
  const repeated = async (tx: Transact) => {
    const repeat = await findRepeat(tx, job, head);
    if (repeat === null) return null;
    // What came before is told again, and it is counted in what came now: all of it has arrived.
    return { answer: { ...repeat, counts: { ...repeat.counts, revisions: arrived.revisions } }, isRepeat: true };
  };
  const stored = writer.transact(async (tx, insert) => {
    const before = await repeated(tx);
    if (before !== null) return before;
    const writing = await beginWriting(tx, insert, { job, head });
    const named = new Set<unknown>();
    for (const portion of ready.taken()) {
      signal.throwIfAborted();
      await writing.portion(portion);
      for (const name of valuesIn(portion.revisions, 'body_sha256')) named.add(name);
      await nextTurn();
    }
    const answer = await writing.finish();
    // One with the same bytes may have been removed since. From here to the commit none is.
    for (const name of named) {
      if (typeof name === 'string' && !(await bodies.has(name))) throw new AppError('unavailable', { retryAfter: 1 });
    }
    return { answer, isRepeat: false };
  });
  return stored.catch(async (error: unknown) => {
    // The same batch at the same time: its groups stood in the way of ours until they were there for good.
    const meanwhile = brokenUniqueness(error) === null ? null : await writer.transact(repeated);
    if (meanwhile === null) throw error;
    return meanwhile;
  });
}

type Portion = RowPortion | PortionBytes;

/** Between two portions a message from outside gets through. */
async function* watched(
  portions: AsyncIterable<Portion>,
  arrived: { revisions: number },
  signal: AbortSignal,
): AsyncGenerator<Portion> {
  for await (const portion of portions) {
    signal.throwIfAborted();
    arrived.revisions += countsOf(portion).revisions;
    yield portion;
    await nextTurn();
  }
}
