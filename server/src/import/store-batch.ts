import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '@passwordbroker/core/contract/problem';
import { lockVaultShared } from '../db/locks.ts';
import { valuesIn } from '../db/bulk/packed-rows.ts';
import type { BulkWriter } from '../db/bulk/writer.ts';
import type { Transact } from '../db/database.ts';
import { findCreatedRequest } from '../http/answer/created-request-repository.ts';
import { asOperation } from '../operations/journal.ts';
import type { BodyStore } from '../platform/storage/bodies.ts';
import type { BatchRows, RowsHead } from './checked-rows.ts';
import type { ImportAnswer, JobParts } from './import-job.ts';
import { continueStaging, findImportOf } from './import-repository.ts';
import { asBytes, countsOf, type WaitingPortions } from './portion-bytes.ts';
import { intoDetail, requestId } from './into/into-head.ts';
import { judgeTargets } from './into/judge-into.ts';
import type { LateRows } from './into/write-into.ts';
import { beginBatch, finishBatch, stepsOf, type Step, type Written } from './write-batch.ts';

export interface StoreContext {
  readonly writer: BulkWriter;
  /** One transaction with the writer. */
  readonly withWriter: <T>(work: () => Promise<T>) => Promise<T>;
  readonly signal: AbortSignal;
  readonly bodies: Pick<BodyStore, 'has'>;
  /** Empty; the caller closes it. */
  readonly waiting: WaitingPortions;
}

export interface Stored {
  readonly answer: ImportAnswer;
  readonly isRepeat: boolean;
}

/**
 * Short transactions become visible with the last one (ADR 16). Staged rows may remain on errors. @throws
 * AppError; the signal's abort reason
 */
export async function storeBatch(job: JobParts, rows: BatchRows, context: StoreContext): Promise<Stored> {
  const { writer, withWriter, signal, bodies, waiting } = context;
  const head = await rows.head((into) =>
    withWriter(() =>
      writer.transact(async (tx) => {
        await lockVaultShared(tx);
        return judgeTargets(tx, job.user.userId, into);
      }),
    ),
  );
  const arrived = { revisions: 0, stored: 0 };
  const late: LateRows = { portions: [], withNewFields: new Set() };
  for await (const portion of rows.portions()) {
    signal.throwIfAborted();
    const { revisions, stored } = countsOf(portion);
    arrived.revisions += revisions;
    arrived.stored += stored;
    if (!portion.isLate) waiting.push(portion);
    else late.portions.push(asBytes(portion));
    if (portion.isLate) for (const id of valuesIn(portion.fields, 'entry_id')) late.withNewFields.add(String(id));
    // Lets the message `abort` through.
    await nextTurn();
  }
  const begun = await withWriter(() =>
    writer.transact(async (tx) => {
      await lockVaultShared(tx);
      const repeat = await findRepeat(tx, job, head);
      return repeat ?? beginBatch(tx, { job, head, stored: arrived.stored });
    }),
  );
  if ('counts' in begun) {
    const { revisions } = arrived;
    return { answer: { ...begun, counts: { ...begun.counts, revisions } }, isRepeat: true };
  }
  const written = await writeSteps(job, stepsOf(begun, waiting, bodies), context);
  const answer = await withWriter(() =>
    writer.transact(async (tx, insert) => {
      await lockVaultShared(tx);
      return finishBatch(tx, insert, begun, { written, late, bodies });
    }),
  );
  return { answer, isRepeat: false };
}

/** In ms; keeps transactions below 50 ms. */
const STEPS_MS = 15;

async function writeSteps(
  { operationId }: JobParts,
  steps: Iterator<Step, Written>,
  { writer, withWriter, signal }: StoreContext,
): Promise<Written> {
  let next = steps.next();
  while (next.done !== true) {
    signal.throwIfAborted();
    await withWriter(() =>
      writer.transact(
        async (tx, insert) => {
          await lockVaultShared(tx);
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

/** Response to an equal earlier request. @throws AppError `id_taken` */
async function findRepeat(
  tx: Transact,
  job: Pick<JobParts, 'user'>,
  { groups, into, digest, skipped }: RowsHead,
): Promise<ImportAnswer | null> {
  const rootId = into?.into ?? groups[0]?.group.entry_group_id;
  if (digest === null || rootId === undefined) return null;
  const request = await findCreatedRequest(tx, requestId(into, rootId, digest));
  if (request === undefined) return null;
  const operation = await findImportOf(tx, rootId, into === null ? null : intoDetail(into, digest));
  const isSame = request.user_id === job.user.userId && Buffer.compare(digest, request.digest) === 0;
  if (!isSame || operation === undefined) throw new AppError('id_taken');
  const shown = asOperation(operation);
  const updated = into === null ? {} : { updated: into.updates.length };
  return {
    ...shown,
    entry_group_id: rootId,
    name: operation.title,
    counts: { ...shown.counts, revisions: 0, ...updated },
    skipped: [...skipped],
  };
}
