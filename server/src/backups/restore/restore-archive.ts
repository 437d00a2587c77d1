/**
 * Restores an archive into a database of its own, checks all of it, and counts. Nothing else is touched: this proves a backup, and it is what a recovery
 * does before it switches.
 */
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
  /** A folder that does not exist yet; whoever asked removes it. */
  readonly scratchDir: string;
  /** Write the sealed files down, durably; else they are only looked at. */
  readonly keepBodies: boolean;
  readonly now: number;
}

export interface Restored {
  readonly counts: BackupCounts;
  readonly manifest: Manifest;
}

const LOAD_PART = 0.85;

/** @throws ArchiveError */
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

/** Brings the scratch database up to the schema of this program and looks at all of it. */
async function proveScratch({ scratchDir, now }: RestoreJob, manifest: Manifest): Promise<Restored> {
  const db = await openDatabase({ dataDir: scratchDir, now, isScratch: true });
  try {
    await checkRestored(db);
    return { counts: await countAll(db.read), manifest };
  } finally {
    await db.close();
  }
}
