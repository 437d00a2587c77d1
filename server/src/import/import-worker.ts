/** The thread that stores an import. It says when it wants the database, and what came of it; between, it answers to `go` and `abort`. */
import { parentPort, workerData } from 'node:worker_threads';
import { AppError } from '@passwordbroker/core/contract/problem';
import { openBodiesBeside } from '../db/bodies-beside.ts';
import { openBulkWriter } from '../db/bulk-writer.ts';
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
const turn = new Promise<void>((resolve, reject) => {
  go = resolve;
  abort.signal.addEventListener('abort', () => reject(new AppError('bad_request')));
});
turn.catch(() => {});
port.on('message', (message: ToImport) => (message === 'go' ? go() : abort.abort()));

const say = (message: FromImport) => port.postMessage(message);

async function store(): Promise<void> {
  const writer = await openBulkWriter(job.databasePath);
  const bodies = await openBodiesBeside(job.databasePath, job.dataDir);
  const askForTurn = () => {
    say({ type: 'turn' });
    return turn;
  };
  try {
    const rows = receivedPieces<RowsHead, PortionBytes>(job.port);
    const stored = await storeBatch(job, rows, { writer, askForTurn, signal: abort.signal, bodies });
    // It is committed, and the database is free: nobody waits for what is tidied up after it.
    say({ type: 'done', ...stored });
  } finally {
    await Promise.all([writer.close(), bodies.close()]);
  }
}

store()
  .catch((error: unknown) => say({ type: 'refused', refusal: asRefusal(error) }))
  .finally(() => port.close());
