/** Messages between server and backup thread; all survives a structured clone. */
import type { BackupCounts } from '@passwordbroker/core/contract/site/backups';
import type { DatabaseSource } from '../../db/snapshot/source.ts';
import type { SwitchJob } from '../../recovery/switch-over.ts';
import type { Opener } from '../archive/age-head.ts';
import type { ArchiveFault } from '../archive/archive-problem.ts';
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

export interface Origin {
  readonly name: string;
  readonly stack: string;
}

/** `turn`: the thread now needs exclusive use of the database. */
export type FromBackup =
  | { readonly type: 'progress'; readonly part: number }
  | { readonly type: 'turn' }
  | { readonly type: 'done'; readonly proven: Proven }
  | { readonly type: 'refused'; readonly fault: ArchiveFault; readonly detail: string }
  | { readonly type: 'not empty' }
  | { readonly type: 'failed'; readonly message: string; readonly code: string; readonly origin: Origin };

export type ToBackup = 'go' | 'abort';
