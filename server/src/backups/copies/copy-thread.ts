import { setTimeout as wait } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { startThread } from '../../platform/thread.ts';
import { CopyFailed, SILENT } from './second-target.ts';
import type { CopyTarget } from './copy-target.ts';

interface Common {
  readonly target: CopyTarget;
  /** Unique among sites that share a target. */
  readonly id: string;
  /** In BACKUP_DIR and in the target. */
  readonly name: string;
}

export type CopyJob = Common &
  (
    | {
        readonly kind: 'copy';
        readonly source: string;
        /** `sha256` is null for archives of older versions. */
        readonly expected: { readonly size: number | null; readonly sha256: string | null };
      }
    | { readonly kind: 'remove' }
  );

export type FromCopy =
  | { readonly type: 'alive' }
  | { readonly type: 'done' }
  | { readonly type: 'failed'; readonly sentence: string; readonly code: string; readonly isFinal: boolean }
  | { readonly type: 'broken'; readonly name: string; readonly stack: string };

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
    // A hanging share would accumulate threads.
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
