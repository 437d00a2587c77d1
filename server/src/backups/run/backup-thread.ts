import { BACKUP_TEXTS, type BackupCounts } from '@passwordbroker/core/contract/site/backups';
import { AppError } from '@passwordbroker/core/contract/problem';
import type { Deps } from '../../http/context.ts';
import { startThread } from '../../platform/thread.ts';
import { ArchiveError, type ArchiveFault } from '../archive/archive-problem.ts';
import type { DatabaseSource } from '../../db/snapshot/source.ts';
import type { SwitchJob } from '../../recovery/switch-over.ts';
import type { Opener } from '../archive/age.ts';
import type { ArchiveJob } from '../archive/write-archive.ts';

export interface CreateJob {
  readonly kind: 'create';
  readonly archive: Omit<ArchiveJob, 'encryption'>;
  /** Null: not encrypted. */
  readonly key: { readonly recipient: string; readonly sealedIdentity: Uint8Array } | null;
}

interface VerifyJob {
  readonly kind: 'verify';
  readonly path: string;
  readonly opener: Opener | null;
  readonly workDir: string;
  readonly now: number;
}

export interface RecoverJob {
  readonly kind: 'recover';
  readonly path: string;
  readonly password: string | null;
  readonly source: DatabaseSource;
  readonly dataDir: string;
  readonly switching: SwitchJob;
}

export type BackupJob = CreateJob | VerifyJob | RecoverJob;

export interface Proven {
  readonly size: number;
  /** Hex; null for a recovery. */
  readonly sha256: string | null;
  readonly counts: BackupCounts;
}

interface Origin {
  readonly name: string;
  readonly stack: string;
}

/** `turn`: the thread needs exclusive use of the database. */
export type FromBackup =
  | { readonly type: 'progress'; readonly part: number }
  | { readonly type: 'turn' }
  | { readonly type: 'done'; readonly proven: Proven }
  | { readonly type: 'refused'; readonly fault: ArchiveFault; readonly detail: string }
  | { readonly type: 'not empty' }
  | { readonly type: 'failed'; readonly message: string; readonly code: string; readonly origin: Origin };

export type ToBackup = 'go' | 'abort';

/** A hostile archive exhausts this heap, not the server's. */
const HEAP = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 } as const;
const GRACE_MS = 5000;

/** Full disk, missing file or a bug. */
export class BackupFailed extends Error {
  readonly code: string;
  constructor(message: string, code: string, origin?: Origin) {
    // Errors lose their stack between threads.
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
