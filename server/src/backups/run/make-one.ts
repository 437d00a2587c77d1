import { basename, join } from 'node:path';
import { recordEvent } from '../../audit/audit-log.ts';
import type { Transact } from '../../db/database.ts';
import { MIGRATIONS } from '../../db/schema/migrations/index.ts';
import { sourceOf } from '../../db/snapshot/source.ts';
import type { Deps } from '../../http/context.ts';
import { LeaseLost, type Lease } from '../../platform/leases/lease.ts';
import { VERSION } from '@passwordbroker/core/contract/client';
import { renamed, archivePath, freeName } from '../stored-archive.ts';
import { isNameTaken } from '../archive-files.ts';
import { AttemptFiles } from './attempt-files.ts';
import { type CreateJob, type Proven, runBackupJob, BackupFailed } from './backup-thread.ts';
import {
  changeBackup,
  findBackup,
  noteProgress,
  type BackupRow,
  readSettings,
  type SettingsRow,
} from '../backup-repository.ts';
import { queueCopy } from '../copies/copy-due.ts';
import { ArchiveError } from '../archive/archive-problem.ts';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { insertMail } from '../../mail/outbox-repository.ts';
import type { BackupMail } from '../../mail/backup-texts.ts';

const NOWHERE = { address: '', agentHash: null, userAgent: '', client: null };

/** @throws LeaseLost, or the abort reason of `signal`: it is then retried */
export async function makeOne(deps: Deps, lease: Lease, id: string, signal: AbortSignal): Promise<void> {
  const { db, clock, config, log } = deps;
  const begun = await begin(deps, lease, id);
  if (begun === null) return;
  const { row, key } = begun;
  const files = new AttemptFiles(deps, id);
  try {
    await files.prepare();
    const archive = {
      source: sourceOf(db),
      bodiesDir: join(config.dataDir, 'bodies'),
      workDir: files.workDir,
      target: files.part,
      version: VERSION,
      schema: MIGRATIONS.map(({ name }) => name),
      now: clock.now(),
    };
    const watch = { signal, onProgress: progressOf(deps, row) };
    const proven = await runBackupJob(deps, { kind: 'create', archive, key }, watch);
    signal.throwIfAborted();
    await finish(deps, lease, { row, proven, files });
  } catch (error) {
    if (error instanceof LeaseLost || signal.aborted) {
      await files.withdraw();
      await putBack(deps, lease, id).catch(() => {});
      throw error;
    }
    log.error({ event: 'backup', error }, 'a backup could not be made');
    if (await fail(deps, lease, row, error)) await files.withdraw();
  } finally {
    await files.clear();
  }
}

interface Begun {
  readonly row: BackupRow;
  readonly key: CreateJob['key'];
}

/** Null if it no longer waits. */
async function begin({ db, clock }: Deps, lease: Lease, id: string): Promise<Begun | null> {
  return db.transact(async (tx) => {
    await lease.confirm(tx);
    const row = await findBackup(tx, id);
    if (row?.state !== 'await') return null;
    // The password may have changed since the request.
    const { recipient, sealed_identity: sealedIdentity } = await readSettings(tx);
    const key = recipient === null || sealedIdentity === null ? null : { recipient, sealedIdentity };
    const isSealed = key !== null;
    const changes = {
      state: 'creating',
      attempts: row.attempts + 1,
      progress: 0,
      has_password: isSealed ? 1 : 0,
      file_name: renamed(row.file_name, isSealed),
      updated_at: clock.now(),
    } as const;
    await changeBackup(tx, id, changes);
    return { row: { ...row, ...changes }, key };
  });
}

/** Skips calls while it writes. */
function progressOf({ db, clock, log }: Deps, { backup_id }: BackupRow): (part: number) => void {
  let writing = false;
  return (part) => {
    if (writing) return;
    writing = true;
    const progress = Math.min(99, Math.floor(part * 100));
    void db
      .transactBeside((tx) => noteProgress(tx, backup_id, { progress, now: clock.now() }))
      .catch((error: unknown) => log.error({ error }, 'the progress of a backup could not be written down'))
      .finally(() => {
        writing = false;
      });
  };
}

interface Made {
  readonly row: BackupRow;
  readonly proven: Proven;
  readonly files: AttemptFiles;
}

async function finish(deps: Deps, lease: Lease, { row, proven, files }: Made): Promise<void> {
  const now = deps.clock.now();
  await deps.db.transact(async (tx) => {
    // Locks the lease until commit: a successor finds the backup recorded or not begun.
    await lease.confirm(tx);
    const changes = {
      file_name: await settle(tx, deps, row, files),
      state: 'created',
      progress: null,
      size: proven.size,
      sha256: proven.sha256,
      counts: JSON.stringify(proven.counts),
      error_message: null,
      made_at: now,
      verified_at: now,
      updated_at: now,
    } as const;
    await changeBackup(tx, row.backup_id, changes);
    await queueCopy(tx, deps, row.backup_id);
    await tell(tx, deps, 'backup_created', { ...row, ...changes });
  });
}

/** Takes the next name if this one was used meanwhile. */
async function settle(tx: Transact, deps: Deps, row: BackupRow, files: AttemptFiles): Promise<string> {
  let [name, next] = [row.file_name, row.created_at];
  for (;;) {
    try {
      return basename(await files.settle(archivePath(deps, { file_name: name })));
    } catch (error) {
      if (!isNameTaken(error)) throw error;
      ({ name, next } = await freeName(tx, deps, next, row.has_password === 1));
    }
  }
}

/** False if it has succeeded after all. */
async function fail(deps: Deps, lease: Lease, { backup_id }: BackupRow, error: unknown): Promise<boolean> {
  // A full disk may be the cause.
  await deps.space.ease('admin');
  return deps.db.transact(async (tx) => {
    await lease.confirm(tx);
    const row = await findBackup(tx, backup_id);
    if (row?.state !== 'creating') return false;
    const changes = {
      state: 'error',
      progress: null,
      error_message: failureSentence(error),
      updated_at: deps.clock.now(),
    } as const;
    await changeBackup(tx, backup_id, changes);
    await tell(tx, deps, 'backup_failed', { ...row, ...changes });
    return true;
  });
}

/** An interrupted backup does not count as an attempt. @throws LeaseLost */
async function putBack({ db, clock }: Deps, lease: Lease, id: string): Promise<void> {
  await db.transact(async (tx) => {
    await lease.confirm(tx);
    const row = await findBackup(tx, id);
    if (row?.state !== 'creating') return;
    const changes = { state: 'await', attempts: row.attempts - 1, progress: null, updated_at: clock.now() } as const;
    await changeBackup(tx, id, changes);
  });
}

/** Audits the result and queues the mail. */
export async function tell(
  tx: Transact,
  deps: Deps,
  event_type: 'backup_created' | 'backup_failed',
  row: BackupRow,
): Promise<void> {
  await recordEvent(tx, deps, {
    event_type,
    actor: null,
    origin: NOWHERE,
    target_type: 'backup',
    target_id: row.backup_id,
    details: { scheduled: row.slot !== null, encrypted: row.has_password === 1 },
  });
  await tellByMail(tx, deps, await readSettings(tx), row);
}

/** Without paths or content. */
const SENTENCES: Readonly<Record<string, string>> = {
  ENOSPC: 'There is not enough space on the disk.',
  EDQUOT: 'There is not enough space on the disk.',
  SQLITE_FULL: 'There is not enough space on the disk.',
  EACCES: 'The folder for backups cannot be written to.',
  EPERM: 'The folder for backups cannot be written to.',
  EROFS: 'The folder for backups cannot be written to.',
  EEXIST: 'The folder for backups cannot be written to.',
  ENOTDIR: 'The folder for backups cannot be written to.',
};

function failureSentence(error: unknown): string {
  if (error instanceof ArchiveError) {
    return error.fault === 'space' ? error.message : `It could not be restored: ${error.detail}.`;
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const known = SENTENCES[code];
  if (known !== undefined) return known;
  // Names only the digest of a sealed file.
  if (error instanceof BackupFailed && error.message.startsWith('The sealed file')) return error.message;
  return 'Something went wrong. The log says what.';
}

/** Queues the mail if it is configured and wanted. */
export async function tellByMail(
  tx: Transact,
  deps: Pick<Deps, 'noticesFrom' | 'newId' | 'clock'>,
  settings: Pick<SettingsRow, 'email' | 'email_enabled'>,
  row: BackupRow,
): Promise<void> {
  const { email, email_enabled: isWanted } = settings;
  if (deps.noticesFrom === null || isWanted === 0 || email === null) return;
  const now = deps.clock.now();
  const isMade = row.state === 'created';
  const isSent = isMade && row.has_password === 1 && (row.size ?? 0) <= LIMITS.mailedArchiveBytes;
  const details: BackupMail = {
    site: deps.noticesFrom,
    at: new Date(now).toISOString(),
    fileName: row.file_name,
    size: row.size,
    isEncrypted: row.has_password === 1,
    reason: row.error_message,
    attachment: isSent ? row.file_name : null,
  };
  await insertMail(tx, {
    mail_id: deps.newId(),
    notice: isMade ? 'backup made' : 'backup failed',
    recipient: email,
    details: JSON.stringify(details),
    created_at: now,
    due_at: now,
    attempts: 0,
  });
}
