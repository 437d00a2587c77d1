import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { BACKUP_TEXTS } from '@passwordbroker/core/contract/site/backups';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import { ArchiveError, faultForLog, refuseUpload } from '../backups/archive/archive-problem.ts';
import { runBackupJob } from '../backups/run/backup-thread.ts';
import { storageFailure } from '../db/failures.ts';
import { sourceOf } from '../db/snapshot/source.ts';
import { removeUnnamedBodies } from '../fields/storage-repository.ts';
import type { Deps, Origin, RequestContext } from '../http/context.ts';
import { ATTEMPT_LIMITS, countAttempt, uncountAttempt } from '../platform/passwords/attempts.ts';
import { Lease, whileHolding } from '../platform/leases/lease.ts';
import { networkOf } from '../platform/networks.ts';
import { hasUsers } from '../users/user-repository.ts';
import { listLeft, recoveryFolder, removeLeft } from './left-behind.ts';

/** @throws AppError `forbidden` if the site has users, `conflict` while a recovery runs */
export async function mayRecover({ deps }: Pick<RequestContext, 'deps'>): Promise<void> {
  if (deps.recovery.isRunning) throw new AppError('conflict', { message: BACKUP_TEXTS.running });
  if (await hasUsers(deps.db)) throw new AppError('forbidden', { message: BACKUP_TEXTS.notEmpty });
}

const PART = 'backupFile';
const attemptsOf = ({ address }: Origin) => `recovery:${networkOf(address)}`;

/** Call once place and disk space are granted, before the file is read. @throws AppError `too_many_requests` */
export async function countUpload({ deps, origin }: RequestContext): Promise<void> {
  await countAttempt(deps, attemptsOf(origin), ATTEMPT_LIMITS.recovery);
}

/** Anonymous. @throws AppError with the texts of docs/spec/api.md §3.11; the site is then unchanged */
export async function recoverFromUpload(context: RequestContext, password: string | undefined): Promise<void> {
  const { deps, spooled, origin } = context;
  const file = spooled.find(({ part }) => part === PART);
  if (file === undefined) throw refuse(PART, BACKUP_TEXTS.fileMissing);
  await recoverFrom(deps, { path: file.path, password: (password ?? '') === '' ? null : (password ?? null), origin });
  await uncountAttempt(deps, attemptsOf(origin));
}

interface Recovery {
  readonly path: string;
  readonly password: string | null;
  readonly origin: Origin;
}

/**
 * Restores beside the empty site, verifies and switches in one step (docs/spec/threats.md §3.1.35).
 * @throws AppError `conflict` while another one runs, `forbidden` if the site has users, `validation`,
 * `insufficient_storage`
 */
export async function recoverFrom(deps: Deps, { path, password, origin }: Recovery): Promise<void> {
  if (deps.recovery.isRunning) throw new AppError('conflict', { message: BACKUP_TEXTS.running });
  deps.recovery.isRunning = true;
  try {
    await alone(deps, () => restoreAndSwitch(deps, { path, password, origin }));
  } catch (error) {
    if (error instanceof ArchiveError) deps.log.warn(faultForLog(error), 'an archive was not recovered');
    throw asRefusal(error);
  } finally {
    deps.recovery.isRunning = false;
  }
}

/** One process at a time. SQLite has only one: a dead one's lease is ignored. */
async function alone({ db }: Deps, work: () => Promise<void>): Promise<void> {
  if (db.dialect === 'sqlite') return work();
  const lease = new Lease(db, 'recovery');
  if (!(await lease.holdUnlessAlive())) throw new AppError('conflict', { message: BACKUP_TEXTS.running });
  try {
    await whileHolding(lease, work);
  } finally {
    await lease.release();
  }
}

async function restoreAndSwitch(deps: Deps, { path, password, origin }: Recovery): Promise<void> {
  const { dataDir } = deps.config;
  const workDir = recoveryFolder(dataDir, deps.newId());
  try {
    if (await hasUsers(deps.db)) throw new AppError('forbidden', { message: BACKUP_TEXTS.notEmpty });
    await removeLeft(await listLeft(dataDir));
    await mkdir(workDir, { recursive: true, mode: 0o700 });
    const switching = {
      scratchDir: join(workDir, 'restored'),
      dialect: deps.db.dialect,
      now: deps.clock.now(),
      origin,
      details: { encrypted: password !== null },
    };
    // Cannot be cancelled by a disconnect.
    await runBackupJob(deps, { kind: 'recover', path, password, source: sourceOf(deps.db), dataDir, switching });
  } catch (error) {
    await removeFilesTakenOver(deps);
    throw error;
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}

/** Restored before the rows failed. */
async function removeFilesTakenOver(deps: Deps): Promise<void> {
  try {
    await removeUnnamedBodies(deps, await deps.bodies.listUntouchedSince(Number.MAX_SAFE_INTEGER));
  } catch (error) {
    deps.log.error({ error }, 'Files of a failed recovery could not be removed; the next sweep removes them');
  }
}

function asRefusal(error: unknown): unknown {
  if (error instanceof ArchiveError) {
    const refusal =
      error.fault === 'space' ? new AppError('insufficient_storage', { message: error.message }) : refuseUpload(error);
    // For the command line; not sent over HTTP.
    refusal.cause = error;
    return refusal;
  }
  return storageFailure(error) === 'insufficient_storage' ? new AppError('insufficient_storage') : error;
}
