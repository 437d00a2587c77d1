import { buffer } from 'node:stream/consumers';
import { parentPort, workerData } from 'node:worker_threads';
import { AppError } from '@passwordbroker/core/contract/problem';
import { openBodiesBeside } from '../db/bodies/bodies-beside.ts';
import { openBulkWriter } from '../db/bulk/writer.ts';
import type { BodyStore } from '../platform/storage/bodies.ts';
import { lostWrite } from '../db/failures.ts';
import type { KeepBody } from './batch-fields.ts';
import { type BatchRows, checkedRows } from './checked-rows.ts';
import { asRefusal, type FromImport, type ImportJob, type SealKeys, type ToImport } from './import-job.ts';
import { keepassRows } from './keepass-rows.ts';
import { fileOfRows, waitingInFile, waitingInMemory, type WaitingPortions } from './portion-bytes.ts';
import { sealedSource, storedSource } from './sealed-source.ts';
import { storeBatch } from './store-batch.ts';

const port = parentPort;
if (port === null) throw new Error('This file is the entry of a thread');
const job = workerData as ImportJob;
const abort = new AbortController();
const aborted = new Promise<never>((_, reject) => {
  abort.signal.addEventListener('abort', () => reject(new AppError('bad_request')));
});
aborted.catch(() => {});
let acquired = () => {};
const keys = new Promise<SealKeys>((resolve) => {
  port.on('message', (message: ToImport) => {
    if (message === 'acquired') acquired();
    else if (message === 'abort') abort.abort();
    else resolve(message);
  });
});

const say = (message: FromImport) => port.postMessage(message);

async function withWriter<T>(work: () => Promise<T>): Promise<T> {
  if (abort.signal.aborted) throw new AppError('bad_request');
  const writer = new Promise<void>((resolve) => (acquired = resolve));
  say({ type: 'acquire' });
  await Promise.race([writer, aborted]);
  try {
    return await work();
  } finally {
    say({ type: 'release' });
  }
}

async function run(): Promise<void> {
  const writer = await openBulkWriter(job.databasePath);
  const bodies = await openBodiesBeside(job.databasePath, job.dataDir, job.operationId);
  let waiting: WaitingPortions | null = null;
  try {
    waiting = 'batches' in job.source ? waitingInFile(fileOfRows(job)) : waitingInMemory();
    const rows = rowsOf(bodies, async (bytes) => {
      const stored = await bodies.put(bytes);
      say({ type: 'body', name: stored.sha256 });
      return stored;
    });
    const stored = await storeBatch(job, rows, { writer, withWriter, signal: abort.signal, bodies, waiting });
    // Committed: the response need not wait for cleanup.
    say({ type: 'done', ...stored });
  } finally {
    await Promise.all([waiting?.close(), writer.close(), bodies.close()]);
  }
}

function rowsOf(bodies: Pick<BodyStore, 'open'>, keep: KeepBody): BatchRows {
  const { source } = job;
  if ('batches' in source)
    return checkedRows(
      job,
      storedSource(source, (name) => readBody(bodies, name)),
      keep,
    );
  if ('json' in source) return checkedRows(job, sealedSource(source), keep);
  return keepassRows(job, source.file, () => Promise.race([keys, aborted]), keep);
}

/** @throws AppError `not_found` if the import was dropped meanwhile */
async function readBody(bodies: Pick<BodyStore, 'open'>, name: string): Promise<Uint8Array> {
  try {
    return await buffer(bodies.open(name));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') throw new AppError('not_found');
    throw error;
  }
}

run()
  .catch((error: unknown) => {
    // The state on disk is unknown, so the process ends (`main.ts`).
    if (lostWrite(error, job.dataDir) !== null) throw error;
    say({ type: 'refused', refusal: asRefusal(error) });
  })
  .finally(() => port.close());
