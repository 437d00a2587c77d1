/**
 * Stores a whole batch whose rows another thread makes (docs/adr/0016-imports-in-portions.md). Runs in a thread of its own, with its own writing connection. All
 * of it is sealed or checked, and its bodies are stored, before the database is asked for: nobody ever waits for that, and a batch that is refused has never
 * had it. Its rows are written in short transactions, between which others write, and are seen from the last one on.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { joinActs } from '../db/act-locks.ts';
import type { BulkWriter } from '../db/bulk-writer.ts';
import type { BodyStore } from '../platform/bodies.ts';
import type { BatchRows, PortionBytes, RowPortion } from './batch-rows.ts';
import { findRepeat } from './import-repeat.ts';
import type { ImportAnswer, JobParts } from './import-job.ts';
import { countsOf } from './portion-bytes.ts';
import { portionSpool } from './portion-spool.ts';
import { continueStaging } from './staged-repository.ts';
import { beginBatch, finishBatch, stepsOf } from './write-batch.ts';
import type { Step, Written } from './write-batch.ts';

export interface Surroundings {
  readonly writer: BulkWriter;
  /** Does the work when it is this import's turn to write. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  readonly signal: AbortSignal;
  readonly bodies: Pick<BodyStore, 'has'>;
}

export interface Stored {
  readonly answer: ImportAnswer;
  /** The same request had been served before. */
  readonly isRepeat: boolean;
}

/** Throws `AppError` for a batch that must not be stored, and what the signal was aborted with: then rows may be left, which nobody sees (`staging.ts`). */
export async function storeBatch(job: JobParts, rows: BatchRows, surroundings: Surroundings): Promise<Stored> {
  const { writer, inTurn, signal, bodies } = surroundings;
  const head = await rows.head();
  const arrived = { revisions: 0, stored: 0 };
  const ready = portionSpool();
  for await (const portion of watched(rows.portions(), arrived, signal)) ready.add(portion);
  const begun = await inTurn(() =>
    writer.transact(async (tx) => {
      await joinActs(tx);
      const repeat = await findRepeat(tx, job, head);
      return repeat ?? beginBatch(tx, { job, head, stored: arrived.stored });
    }),
  );
  // What came before is told again, and it is counted in what came now: all of it has arrived.
  if ('counts' in begun) {
    const { revisions } = arrived;
    return { answer: { ...begun, counts: { ...begun.counts, revisions } }, isRepeat: true };
  }
  const written = await writeSteps(job, stepsOf(begun, ready, bodies), surroundings);
  const answer = await inTurn(() =>
    writer.transact(async (tx, insert) => {
      await joinActs(tx);
      return finishBatch(tx, insert, begun, written);
    }),
  );
  return { answer, isRepeat: false };
}

/** A transaction begins no further step after so long: with the last one and the commit it takes 50 ms at most. */
const STEPS_MS = 15;

/** What the steps have written, in transactions of a few of them. */
async function writeSteps(
  { operationId }: JobParts,
  steps: Iterator<Step, Written>,
  { writer, inTurn, signal }: Surroundings,
): Promise<Written> {
  let next = steps.next();
  while (next.done !== true) {
    signal.throwIfAborted();
    await inTurn(() =>
      writer.transact(
        async (tx, insert) => {
          await joinActs(tx);
          let rows = 0;
          for (const until = performance.now() + STEPS_MS; next.done !== true; next = steps.next()) {
            if (rows > 0 && performance.now() >= until) break;
            rows += await next.value(tx, insert);
          }
          await continueStaging(tx, operationId, rows);
        },
        { isDurable: false },
      ),
    );
  }
  return next.value;
}

type Portion = RowPortion | PortionBytes;

/** Between two portions a message from outside gets through. */
async function* watched(
  portions: AsyncIterable<Portion>,
  arrived: { revisions: number; stored: number },
  signal: AbortSignal,
): AsyncGenerator<Portion> {
  for await (const portion of portions) {
    signal.throwIfAborted();
    const { revisions, stored } = countsOf(portion);
    arrived.revisions += revisions;
    arrived.stored += stored;
    yield portion;
    await nextTurn();
  }
}
