import { BACKUP_TEXTS, type Backup } from '@passwordbroker/core/contract/site/backups';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import { recordEvent } from '../../audit/audit-log.ts';
import type { Deps, Caller } from '../../http/context.ts';
import { openPlainFile } from '../../platform/storage/plain-file.ts';
import { ArchiveError, faultForLog } from '../archive/archive-problem.ts';
import { type Proven, BackupFailed, runBackupJob } from '../run/backup-thread.ts';
import { changeBackup, findBackup, type BackupRow } from '../backup-repository.ts';
import { backupOf, findRow } from '../backups.ts';
import { archivePath } from '../stored-archive.ts';
import type { unlockArchive } from '../archive/unlock-archive.ts';
import { mkdir, rm } from 'node:fs/promises';
import type { Opener } from '../archive/age.ts';
import { workFolder } from '../work-folder.ts';

/**
 * Restores a backup to verify it (docs/spec/api.md §3.11). @throws AppError `not_found`, `validation`
 * (password), `conflict` if damaged or gone
 */
export async function verifyBackup(
  deps: Deps,
  caller: Caller,
  id: string,
  password: string | undefined,
): Promise<Backup> {
  const row = await findRow(deps, id);
  if (row.state !== 'created') throw new AppError('not_found');
  if (row.has_password === 1 && (password ?? '') === '') throw refuse('password', BACKUP_TEXTS.passwordWrong);
  try {
    const proven = await proveAgain(deps, caller, row, password ?? '');
    await judge(deps, caller, id, { verified_at: deps.clock.now(), error_message: null, counts: proven.counts });
  } catch (error) {
    const found = await faultOf(deps, row, error);
    await judge(deps, caller, id, { verified_at: null, error_message: found });
    throw new AppError('conflict', { message: found });
  }
  return backupOf(deps, id);
}

async function proveAgain(deps: Deps, { actor }: Caller, row: BackupRow, password: string): Promise<Proven> {
  const path = archivePath(deps, row);
  const opened = await openPlainFile(path);
  if (opened === null) throw new BackupFailed('The archive is not there', 'ENOENT');
  await opened.file.close();
  const opener = row.has_password === 1 ? await unlocked(deps, actor, { path, password }) : null;
  return proveStored(deps, path, opener);
}

const unlocked = async (...given: Parameters<typeof unlockArchive>) =>
  (await import('../archive/unlock-archive.ts')).unlockArchive(...given);

/** The archive's fault; rethrows other errors. */
async function faultOf(deps: Deps, row: BackupRow, error: unknown): Promise<string> {
  const isGone = error instanceof BackupFailed && error.code === 'ENOENT';
  if (!(error instanceof ArchiveError) && !isGone) throw error;
  if (error instanceof ArchiveError) {
    deps.log.warn(faultForLog(error), 'a backup could not be verified');
    if (error.fault === 'password') throw refuse('password', error.message);
    if (error.fault === 'space') throw new AppError('insufficient_storage', { message: error.message });
    return BACKUP_TEXTS.damaged;
  }
  // ENOENT may also come from the scratch restore.
  const opened = await openPlainFile(archivePath(deps, row));
  await opened?.file.close();
  if (opened !== null) throw error;
  return BACKUP_TEXTS.gone;
}

interface Judgement {
  readonly verified_at: number | null;
  readonly error_message: string | null;
  readonly counts?: Proven['counts'];
}

/** @throws AppError `not_found` if it was removed meanwhile */
async function judge(deps: Deps, { actor, origin }: Caller, id: string, found: Judgement): Promise<void> {
  const { counts, ...changes } = found;
  await deps.db.transact(async (tx) => {
    if ((await findBackup(tx, id))?.state !== 'created') throw new AppError('not_found');
    const counted = counts === undefined ? {} : { counts: JSON.stringify(counts) };
    await changeBackup(tx, id, { ...changes, ...counted, updated_at: deps.clock.now() });
    const event = { event_type: 'backup_verified', actor, origin, target_type: 'backup', target_id: id } as const;
    await recordEvent(tx, deps, { ...event, details: { ok: found.verified_at !== null } });
  });
}

function proveStored(
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
