/** The thread that brings pages of the write-ahead log to their places. At each `pass` it brings there what nobody needs in the log any more, and tells how far it came. */
import { parentPort, workerData } from 'node:worker_threads';
import BetterSqlite from 'better-sqlite3';
import type { Pass } from './log-keeping.ts';

const port = parentPort;
if (port === null) throw new Error('This file is the entry of a thread');

const connection = new BetterSqlite(workerData as string, { fileMustExist: true });
connection.pragma('synchronous = FULL');

function pass(): Pass {
  try {
    const [found] = connection.pragma('wal_checkpoint(PASSIVE)') as { log: number; checkpointed: number }[];
    return found === undefined ? null : { pages: found.log, inPlace: found.checkpointed };
  } catch {
    // A disk that is full or fails: the log grows meanwhile, and whoever commits is told by the engine when that fails, too.
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
