import { setTimeout as wait } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { startThread } from '../../platform/thread.ts';
import { CopyFailed, SILENT } from './copy-failed.ts';
import type { CopyJob, FromCopy } from './copy-job.ts';

const GRACE_MS = 5000;
const HEAP = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 } as const;

interface Listening {
  readonly signal: AbortSignal;
  /** Milliseconds without progress. */
  readonly silence: number;
}

export class CopyThread {
  /** A thread that hangs in a system call may never exit. */
  #running: Promise<void> | null = null;

  /** @throws CopyFailed, or the abort reason of `signal` */
  async run(job: CopyJob, { signal, silence }: Listening): Promise<void> {
    signal.throwIfAborted();
    // Never starts a second thread: a hanging share would accumulate them.
    if (this.#running !== null) throw new CopyFailed(SILENT, 'hanging');
    const thread = startThread('copy-worker', import.meta.url, { workerData: job, resourceLimits: HEAP });
    this.#running = new Promise((resolve) => {
      thread.once('exit', () => {
        this.#running = null;
        resolve();
      });
    });
    try {
      await resultOf(thread, { signal, silence });
    } finally {
      void thread.terminate();
      await Promise.race([this.#running, wait(GRACE_MS, undefined, { ref: false })]);
    }
  }
}

function resultOf(thread: Worker, { signal, silence }: Listening): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new CopyFailed(SILENT, 'silent'));
    let timer = setTimeout(giveUp, silence);
    const abort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    };
    thread.on('message', (message: FromCopy) => {
      if (message.type !== 'alive') {
        end();
        if (message.type === 'done') resolve();
        else reject(errorOf(message));
        return;
      }
      clearTimeout(timer);
      timer = setTimeout(giveUp, silence);
    });
    thread.once('error', reject);
    thread.once('exit', () => {
      end();
      reject(new Error('Copy worker exited without a result'));
    });
  });
}

function errorOf(message: Exclude<FromCopy, { type: 'alive' | 'done' }>): Error {
  if (message.type === 'failed') return new CopyFailed(message.sentence, message.code, message.isFinal);
  const origin = Object.assign(new Error(''), { name: message.name, stack: message.stack });
  return new Error('Copy worker failed with an unexpected error', { cause: origin });
}
