/** Proves an archive on the disk, in a thread and one at a time. */
import { mkdir, rm } from 'node:fs/promises';
import type { Deps } from '../../http/context.ts';
import type { Opener } from '../archive/age-head.ts';
import type { Proven } from '../run/backup-job.ts';
import { runBackupJob } from '../run/backup-thread.ts';
import { workFolder } from '../work-folder.ts';

/** @throws ArchiveError, BackupFailed */
export function proveStored(
  deps: Pick<Deps, 'db' | 'proofs' | 'config' | 'clock' | 'newId'>,
  path: string,
  opener: Opener | null,
): Promise<Proven> {
  return deps.proofs.run(async () => {
    const workDir = workFolder(deps.config.dataDir, deps.newId());
    await mkdir(workDir, { recursive: true, mode: 0o700 });
    try {
      return await runBackupJob(deps, { kind: 'verify', path, opener, workDir, now: deps.clock.now() });
    } finally {
      await rm(workDir, { recursive: true, force: true });
    }
  });
}
