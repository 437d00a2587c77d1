/** The thread that stores an import. It says when it wants the database, and what came of it; between, it answers to `go` and `abort`. */
import { parentPort, workerData } from 'node:worker_threads';
import { AppError } from '@passwordbroker/core/contract/problem';
import { openBodiesBeside } from '../db/bodies-beside.ts';
import { openBulkWriter } from '../db/bulk-writer.ts';
import type { StoredBodies } from '../db/stored-bodies.ts';
import { receivedBatch, receivedPieces } from './batch-channel.ts';
import type { BatchRows, PortionBytes, RowsHead } from './batch-rows.ts';
import { checkedRows } from './checked-rows.ts';
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

function rowsOf({ source: { form, port: from } }: ImportJob, bodies: StoredBodies): BatchRows {
  if (form === 'sealed') return receivedPieces<RowsHead, PortionBytes>(from);
  return checkedRows(job, receivedBatch(from), (bytes) => bodies.put(bytes));
}

async function store(): Promise<void> {
  const bodies = await openBodiesBeside(job.databasePath, job.dataDir);
  const writer = await openBulkWriter(job.databasePath);
  const askForTurn = () => {
    say({ type: 'turn' });
    return turn;
  };
  try {
    const isSealed = job.source.form === 'sealed';
    const surroundings = { writer, askForTurn, isSealed, signal: abort.signal };
    const stored = await storeBatch(job, rowsOf(job, bodies), surroundings);
    // It is committed, and the database is free: nobody waits for what is tidied up after it.
    say({ type: 'done', ...stored });
  } finally {
    await writer.close();
    await bodies.close();
  }
}

store()
  .catch((error: unknown) => say({ type: 'refused', refusal: asRefusal(error) }))
  .finally(() => port.close());
