/** The thread that stores an import. It says when it wants the database, when it gives it back, and what came of it; it answers to `go` and `abort`. */
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
let go = () => {};
let fail: (reason: Error) => void = () => {};
abort.signal.addEventListener('abort', () => fail(new AppError('bad_request')));
port.on('message', (message: ToImport) => (message === 'go' ? go() : abort.abort()));

const say = (message: FromImport) => port.postMessage(message);

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (abort.signal.aborted) throw new AppError('bad_request');
  const turn = new Promise<void>((resolve, reject) => {
    go = resolve;
    fail = reject;
  });
  say({ type: 'turn' });
  await turn;
  try {
    return await work();
  } finally {
    say({ type: 'back' });
  }
}

async function store(): Promise<void> {
  const writer = await openBulkWriter(job.databasePath);
  const bodies = await openBodiesBeside(job.databasePath, job.dataDir);
  try {
    const rows = receivedPieces<RowsHead, PortionBytes>(job.port);
    const stored = await storeBatch(job, rows, { writer, inTurn, signal: abort.signal, bodies });
    // It is committed, and the database is free: nobody waits for what is tidied up after it.
    say({ type: 'done', ...stored });
  } finally {
    await Promise.all([writer.close(), bodies.close()]);
  }
}

store()
  .catch((error: unknown) => {
    // What is on the disk is unknown: the process has to end (`main.ts`).
    if (lostWrite(error, job.dataDir) !== null) throw error;
    say({ type: 'refused', refusal: asRefusal(error) });
  })
  .finally(() => port.close());
