import { BACKUP_TEXTS } from '@passwordbroker/core/contract/site/backups';
import { AppError } from '@passwordbroker/core/contract/problem';
import type { Deps } from '../../http/context.ts';
import { startThread } from '../../platform/thread.ts';
import { ArchiveError } from '../archive/archive-problem.ts';
import type { BackupJob, FromBackup, Origin, Proven } from './backup-job.ts';

/** A hostile archive exhausts this heap, not the server's. */
const HEAP = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 } as const;
const GRACE_MS = 5000;

/** Not the archive's fault: full disk, missing file or a bug. */
export class BackupFailed extends Error {
  readonly code: string;
  constructor(message: string, code: string, origin?: Origin) {
    // Errors lose their stack between threads; the log gets it from the cause.
    super(message, origin === undefined ? {} : { cause: Object.assign(new Error(''), origin) });
    this.name = 'BackupFailed';
    this.code = code;
  }
}

interface Listening {
  readonly onProgress?: (part: number) => void;
  readonly signal?: AbortSignal;
}

/** @throws ArchiveError, BackupFailed; AppError `forbidden` for a recovery of a used site */
export async function runBackupJob(
  { db }: Pick<Deps, 'db'>,
  job: BackupJob,
  { onProgress, signal }: Listening = {},
): Promise<Proven> {
  const thread = startThread('backup-worker', import.meta.url, { workerData: job, resourceLimits: HEAP });
  const ended = new Promise<void>((resolve) => thread.once('exit', () => resolve()));
  const abort = () => {
    thread.postMessage('abort');
    setTimeout(() => void thread.terminate(), GRACE_MS).unref();
  };
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted === true) abort();
  try {
    return await new Promise<Proven>((resolve, reject) => {
      thread.on('message', (message: FromBackup) => {
        if (message.type === 'progress') onProgress?.(message.part);
        else if (message.type === 'done') resolve(message.proven);
        else if (message.type !== 'turn') reject(errorOf(message));
        else {
          const lend = async () => {
            thread.postMessage('go');
            await ended;
          };
          db.lendWriter(lend).catch(reject);
        }
      });
      thread.once('error', (error) => reject(asOutOfMemory(error)));
      void ended.then(() => reject(new BackupFailed('The thread of the backup ended without a word', '')));
    });
  } finally {
    signal?.removeEventListener('abort', abort);
    await ended;
  }
}

function errorOf(message: Extract<FromBackup, { type: 'refused' | 'not empty' | 'failed' }>): Error {
  switch (message.type) {
    case 'refused':
      return new ArchiveError(message.fault, message.detail);
    case 'not empty':
      return new AppError('forbidden', { message: BACKUP_TEXTS.notEmpty });
    case 'failed':
      return new BackupFailed(message.message, message.code, message.origin);
  }
}

function asOutOfMemory(error: unknown): unknown {
  const isMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return isMemory ? new ArchiveError('damaged', 'out of memory') : error;
}
