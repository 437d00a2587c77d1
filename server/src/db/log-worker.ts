/** The thread that brings pages of the write-ahead log to their places. At each `pass` it brings there what nobody needs in the log any more, and tells how far it came. */
import { dirname } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { lostWrite } from './failures.ts';
import type { Pass } from './log-keeping.ts';
import { BetterSqlite } from './sqlite-engine.ts';

const port = parentPort;
if (port === null) throw new Error('This file is the entry of a thread');

const path = workerData as string;
const connection = new BetterSqlite(path, { fileMustExist: true });
connection.pragma('synchronous = FULL');

function pass(): Pass {
  try {
    const [found] = connection.pragma('wal_checkpoint(PASSIVE)') as { log: number; checkpointed: number }[];
    return found === undefined ? null : { pages: found.log, inPlace: found.checkpointed };
  } catch (error) {
    // After a failed fsync a later checkpoint would succeed without the lost pages: the process
    // ends (`main.ts`).
    if (lostWrite(error, dirname(path)) !== null) throw error;
    // The disk is full: the write-ahead log grows until space is free.
    return null;
  }
}

port.on('message', (word: 'pass' | 'end') => {
  if (word === 'pass') {
    port.postMessage(pass() satisfies Pass);
    return;
  }
  connection.close();
  port.close();
});
