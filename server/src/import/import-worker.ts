/**
 * The thread that stores an import. Sends `acquire` and `release` around each transaction, and one
 * result (`FromImport`).
 */
import { parentPort, workerData } from 'node:worker_threads';
import { AppError } from '@passwordbroker/core/contract/problem';
import { openBodiesBeside } from '../db/bodies-beside.ts';
import { openBulkWriter } from '../db/bulk-writer.ts';
import { lostWrite } from '../db/failures.ts';
import { receivedPieces } from './batch-channel.ts';
import type { PortionBytes, RowsHead } from './batch-rows.ts';
import type { FromImport, ImportJob, ToImport } from './import-job.ts';
import { asRefusal } from './refusal.ts';
import { storeBatch } from './store-batch.ts';

const port = parentPort;
if (port === null) throw new Error('This file is the entry of a thread');
const job = workerData as ImportJob;
const abort = new AbortController();
let acquired = () => {};
let fail: (reason: Error) => void = () => {};
abort.signal.addEventListener('abort', () => fail(new AppError('bad_request')));
port.on('message', (message: ToImport) => (message === 'acquired' ? acquired() : abort.abort()));

const say = (message: FromImport) => port.postMessage(message);

async function withWriter<T>(work: () => Promise<T>): Promise<T> {
  if (abort.signal.aborted) throw new AppError('bad_request');
  const writer = new Promise<void>((resolve, reject) => {
    acquired = resolve;
    fail = reject;
  });
  say({ type: 'acquire' });
  await writer;
  try {
    return await work();
  } finally {
    say({ type: 'release' });
  }
}

async function store(): Promise<void> {
  const writer = await openBulkWriter(job.databasePath);
  const bodies = await openBodiesBeside(job.databasePath, job.dataDir);
  try {
    const rows = receivedPieces<RowsHead, PortionBytes>(job.port);
    const stored = await storeBatch(job, rows, { writer, withWriter, signal: abort.signal, bodies });
    // The import is committed: the answer does not wait for the cleanup below.
    say({ type: 'done', ...stored });
  } finally {
    await Promise.all([writer.close(), bodies.close()]);
  }
}

store()
  .catch((error: unknown) => {
    // The state on disk is unknown: rethrow, so that the process ends (`main.ts`).
    if (lostWrite(error, job.dataDir) !== null) throw error;
    say({ type: 'refused', refusal: asRefusal(error) });
  })
  .finally(() => port.close());
