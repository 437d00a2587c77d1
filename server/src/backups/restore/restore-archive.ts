import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BackupCounts } from '@passwordbroker/core/contract/site/backups';
import { openDatabase } from '../../db/database.ts';
import type { Opener } from '../archive/age-head.ts';
import type { Manifest } from '../archive/archive-format.ts';
import { ArchiveLoader } from '../archive/archive-loader.ts';
import { checkRestored } from './check-restored.ts';
import { readArchive } from '../archive/read-archive.ts';
import { countAll } from '../run/snapshot-repository.ts';
import type { Watch } from '../archive/write-archive.ts';

export interface RestoreJob {
  readonly path: string;
  readonly opener: Opener | null;
  /** Must not exist yet; the caller removes it. */
  readonly scratchDir: string;
  /** Store the sealed files durably; false only checks them. */
  readonly keepBodies: boolean;
  readonly now: number;
}

export interface Restored {
  readonly counts: BackupCounts;
  readonly manifest: Manifest;
}

const LOAD_PART = 0.85;

/** Restores into a scratch database and checks everything. @throws ArchiveError */
export async function restoreArchive(job: RestoreJob, watch: Watch = {}): Promise<Restored> {
  await mkdir(job.scratchDir, { mode: 0o700 });
  await mkdir(join(job.scratchDir, 'bodies'), { mode: 0o700 });
  const loader = new ArchiveLoader(job);
  try {
    const { signal } = watch;
    const onProgress = (part: number) => watch.onProgress?.(part * LOAD_PART);
    for await (const part of readArchive({ ...job, onProgress, ...(signal === undefined ? {} : { signal }) })) {
      await loader.take(part);
      signal?.throwIfAborted();
    }
    await loader.finish();
  } finally {
    await loader.close();
  }
  const restored = await proveScratch(job, loader.manifest);
  watch.onProgress?.(1);
  return restored;
}

async function proveScratch({ scratchDir, now }: RestoreJob, manifest: Manifest): Promise<Restored> {
  const db = await openDatabase({ dataDir: scratchDir, now, isScratch: true });
  try {
    await checkRestored(db);
    return { counts: await countAll(db.read), manifest };
  } finally {
    await db.close();
  }
}
