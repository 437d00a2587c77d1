/** The thread that stores an import. It says when it wants the database, and what came of it; between, it answers to `go` and `abort`. */
import { parentPort, workerData } from 'node:worker_threads';
import { AppError } from '@passwordbroker/core/contract/problem';
import { openBodiesBeside } from '../db/bodies-beside.ts';
import { openBulkWriter } from '../db/bulk-writer.ts';
import { receivedBatch } from './batch-channel.ts';
import type { FromImport, ImportJob, ToImport } from './import-job.ts';
import { asRefusal } from './refusal.ts';
import { sealedSource } from './sealed-source.ts';
import { storeBatch } from './store-batch.ts';
import type { Stored } from './store-batch.ts';

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

async function store(): Promise<Stored> {
  const bodies = await openBodiesBeside(job.databasePath, job.dataDir);
  const source = job.source.form === 'sealed' ? sealedSource(job.source) : receivedBatch(job.source.port);
  const writer = await openBulkWriter(job.databasePath);
  try {
    return await storeBatch(job, source, {
      writer,
      keepBody: (bytes) => bodies.put(bytes),
      askForTurn() {
        say({ type: 'turn' });
        return turn;
      },
      signal: abort.signal,
    });
  } finally {
    // Before anything is said: the database must be free when the others get it back.
    await writer.close();
    await bodies.close();
  }
}

store()
  .then(
    (stored) => say({ type: 'done', ...stored }),
    (error: unknown) => say({ type: 'refused', refusal: asRefusal(error) }),
  )
  .finally(() => port.close());
