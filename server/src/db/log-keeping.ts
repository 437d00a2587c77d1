/**
 * Brings what was committed from the write-ahead log to its places in the file, in a thread of its own: within a commit it would be waited for by
 * everybody. What is committed is safe either way; this keeps the log short.
 */
import type { Worker } from 'node:worker_threads';
import type { Statement } from 'better-sqlite3';
import { startThread } from '../platform/thread.ts';
import type { Mutex } from './mutex.ts';
import type { Writer } from './sqlite.ts';

/** Pages in the log at which it begins. One that many acts have changed is brought to its place once. */
const BEGIN_AT = 4000;
/** Nobody writes while the last so many (or more, from `WAITED_FOR_AT` on) are brought there: only a log of which nothing is left begins from its front again. */
const LAST = 400;
/** Of passes beside everybody who writes; each leaves less than the one before, unless the machine does not keep up. */
const MOST_PASSES = 6;
/** Whoever writes faster than pages come to their places waits for them from here on: a pass takes as long as it takes, and the log grows beside it. */
const WAITED_FOR_AT = 12_000;
/** Behind a failure, such as a full disk, and behind a reader who still needs what is in the log. */
const REST_MS = 1000;

export interface LogKeeping {
  /** Somebody has committed something; nobody is in a transaction now. */
  readonly look: () => void;
  /** Waits for what is at work, and ends the thread. */
  readonly close: () => Promise<void>;
}

/** What a pass of the thread has found; null: it has failed. */
export type Pass = { readonly pages: number; readonly inPlace: number } | null;

/** @param turn of those who need the writer for themselves */
export function logKeeping(path: string, writer: Writer, turn: Mutex): LogKeeping {
  const lengthOfLog = writer.connection.prepare<[], number[]>('pragma wal_checkpoint(noop)').raw();
  const thread = passesOf(path);
  let running: Promise<void> | null = null;
  let restsUntil = 0;
  let isClosing = false;

  const left = (pass: Pass) => (pass === null ? Number.POSITIVE_INFINITY : pass.pages - pass.inPlace);
  let underWay: Promise<Pass> = Promise.resolve(null);
  /** One after the other: the thread answers the one that it was asked last. */
  const pass = () => {
    underWay = underWay.then(() => thread.pass());
    return underWay;
  };
  let last: Promise<Pass> | null = null;
  /** The last one, which nobody writes beside, behind the one that is under way; once for each run. */
  const lastPass = () => {
    last ??= turn.run(pass);
    return last;
  };
  const empty = async () => {
    let found = await pass();
    for (let count = 1; found !== null && last === null && left(found) > LAST && count < MOST_PASSES; count += 1) {
      if (isClosing) break;
      const { inPlace } = found;
      found = await pass();
      // Somebody still reads what was there before all of it.
      if (found?.inPlace === inPlace) break;
    }
    if (last !== null || (found !== null && !isClosing)) found = await lastPass();
    if (left(found) > 0) restsUntil = performance.now() + REST_MS;
  };
  return {
    look() {
      if (isClosing || last !== null) return;
      const pages = pagesInLog(lengthOfLog);
      if (running !== null) {
        if (pages >= WAITED_FOR_AT) void lastPass();
        return;
      }
      if (pages < BEGIN_AT || performance.now() < restsUntil) return;
      running = empty().finally(() => {
        running = null;
        last = null;
      });
    },
    async close() {
      isClosing = true;
      await running;
      await thread.end();
    },
  };
}

/** Zero where nobody can tell: what was committed is committed, whatever is wrong now. */
function pagesInLog(length: Statement<[], number[]>): number {
  try {
    return length.get()?.[1] ?? 0;
  } catch {
    return 0;
  }
}

/** The thread, which the first pass starts: most short-lived processes need none. */
function passesOf(path: string) {
  let worker: Worker | null = null;
  let tell: (pass: Pass) => void = () => {};
  const start = (): Worker => {
    const started = startThread('log-worker', import.meta.url, { workerData: path });
    // At rest it keeps no process alive.
    started.on('message', (pass: Pass) => {
      started.unref();
      tell(pass);
    });
    started.on('error', () => {});
    started.on('exit', () => {
      worker = null;
      tell(null);
    });
    return started;
  };
  return {
    pass: () =>
      new Promise<Pass>((resolve) => {
        tell = resolve;
        try {
          worker ??= start();
        } catch {
          // The system gives no thread.
          resolve(null);
          return;
        }
        worker.ref();
        worker.postMessage('pass');
      }),
    async end() {
      if (worker === null) return;
      const gone = new Promise<void>((resolve) => void worker?.once('exit', () => resolve()));
      // Somebody waits for it: a process that has nothing else to do must not end before.
      worker.ref();
      worker.postMessage('end');
      await gone;
    },
  };
}
