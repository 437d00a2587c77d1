/** Makes the backups that wait, one after another, by one process of all. What a process that died has begun is begun anew. */
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { recordEvent } from '../audit/audit-log.ts';
import { MIGRATIONS } from '../db/migrations/index.ts';
import { sourceOf } from '../db/snapshot-source.ts';
import type { Deps } from '../http/context.ts';
import { Lease, LeaseLost, whileHolding } from '../platform/lease.ts';
import { VERSION } from '../version.ts';
import { renamed } from './archive-name.ts';
import type { Proven } from './backup-job.ts';
import { changeBackup, findBackup, listInState } from './backup-repository.ts';
import type { BackupRow } from './backup-repository.ts';
import { runBackupJob } from './backup-thread.ts';
import { archivePath } from './backups.ts';
import { failureSentence } from './failure.ts';
import { tellByMail } from './mail-backup.ts';
import { removeSurplus } from './retention.ts';
import { readSettings } from './settings-repository.ts';
import type { SettingsRow } from './settings-repository.ts';
import { workFolder } from './work-folder.ts';

/** How often one is begun before it counts as impossible. */
const ATTEMPTS = 3;
const NOWHERE = { address: '', agentHash: null, userAgent: '' };

export const backupLease = (db: Deps['db']) => new Lease(db, 'backups');

/** Makes all that wait; answers how many it has dealt with. Nothing happens while somebody else is at it. */
export async function makeWaiting(deps: Deps, lease = backupLease(deps.db), stopping?: AbortSignal): Promise<number> {
  if (!(await hasWork(deps)) || !(await lease.hold())) return 0;
  let made = 0;
  try {
    await whileHolding(
      lease,
      async (signal) => {
        await takeUpLeft(deps, lease);
        for (;;) {
          signal.throwIfAborted();
          const [next] = await listInState(deps.db, 'await', 1);
          if (next === undefined) break;
          await makeOne(deps, lease, next, signal);
          made += 1;
        }
        await removeSurplus(deps, lease);
      },
      stopping,
    );
  } finally {
    await lease.release();
  }
  return made;
}

async function hasWork({ db }: Deps): Promise<boolean> {
  const [waiting, left] = await Promise.all([listInState(db, 'await', 1), listInState(db, 'creating', 1)]);
  return waiting.length + left.length > 0;
}

/** Whoever holds the lease is alone: what is being made now was begun by somebody who is dead. */
async function takeUpLeft(deps: Deps, lease: Lease): Promise<void> {
  const { config, clock, db } = deps;
  for (const row of await listInState(db, 'creating', 100)) {
    await removeQuietly(archivePath(deps, row));
    await rm(workFolder(config.dataDir, row.backup_id), { recursive: true, force: true });
    const isHopeless = row.attempts >= ATTEMPTS;
    const changes = isHopeless
      ? ({ state: 'error', error_message: 'The server stopped while the backup was made.' } as const)
      : ({ state: 'await' } as const);
    await db.transact(async (tx) => {
      await lease.confirm(tx);
      await changeBackup(tx, row.backup_id, { ...changes, progress: null, updated_at: clock.now() });
      if (isHopeless) await recordEvent(tx, deps, eventOf('backup_failed', row));
    });
  }
  for (const name of await readdir(config.backupDir).catch(() => [])) {
    if (/^\.[0-9a-f-]{36}\.part$/.test(name)) await rm(join(config.backupDir, name), { force: true });
  }
}

async function makeOne(deps: Deps, lease: Lease, waiting: BackupRow, signal: AbortSignal): Promise<void> {
  const { db, clock, config, log } = deps;
  const settings = await readSettings(db.read);
  const row = await begin(deps, lease, waiting, settings);
  const workDir = workFolder(config.dataDir, row.backup_id);
  const part = join(config.backupDir, `.${row.backup_id}.part`);
  try {
    if (!existsSync(config.backupDir)) await mkdir(config.backupDir, { recursive: true, mode: 0o700 });
    await rm(workDir, { recursive: true, force: true });
    await mkdir(workDir, { recursive: true, mode: 0o700 });
    await rm(part, { force: true });
    const { recipient, sealed_identity: sealedIdentity } = settings;
    const archive = {
      source: sourceOf(db),
      bodiesDir: join(config.dataDir, 'bodies'),
      workDir,
      target: part,
      version: VERSION,
      schema: MIGRATIONS.map(({ name }) => name),
      now: clock.now(),
    };
    const key = recipient === null || sealedIdentity === null ? null : { recipient, sealedIdentity };
    const proven = await runBackupJob(
      deps,
      { kind: 'create', archive, key },
      {
        signal,
        onProgress: progressOf(deps, row),
      },
    );
    signal.throwIfAborted();
    await rename(part, archivePath(deps, row));
    await syncFolder(config.backupDir);
    await finish(deps, lease, row, { proven, settings });
  } catch (error) {
    await removeQuietly(part);
    // Whoever has the lease now, or the next start, takes it up.
    if (error instanceof LeaseLost || signal.aborted) throw error;
    await removeQuietly(archivePath(deps, row));
    log.error({ event: 'backup', error }, 'a backup could not be made');
    await fail(deps, lease, row, { error, settings });
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}

async function begin(deps: Deps, lease: Lease, { backup_id }: BackupRow, settings: SettingsRow): Promise<BackupRow> {
  return deps.db.transact(async (tx) => {
    await lease.confirm(tx);
    const row = await findBackup(tx, backup_id);
    if (row === undefined) throw new Error('A backup that waited is gone');
    // The archive password may have come or gone since it was asked for.
    const isSealed = settings.recipient !== null;
    const changes = {
      state: 'creating',
      attempts: row.attempts + 1,
      progress: 0,
      has_password: isSealed ? 1 : 0,
      file_name: renamed(row.file_name, isSealed),
      updated_at: deps.clock.now(),
    } as const;
    await changeBackup(tx, backup_id, changes);
    return { ...row, ...changes };
  });
}

/** For the page alone: nobody waits for it to be on the disk. */
function progressOf({ db, clock, log }: Deps, { backup_id }: BackupRow): (part: number) => void {
  let writing = false;
  return (part) => {
    if (writing) return;
    writing = true;
    const progress = Math.min(99, Math.floor(part * 100));
    void db
      .note((tx) => changeBackup(tx, backup_id, { progress, updated_at: clock.now() }))
      .catch((error: unknown) => log.error({ error }, 'the progress of a backup could not be written down'))
      .finally(() => {
        writing = false;
      });
  };
}

interface Made {
  readonly proven: Proven;
  readonly settings: SettingsRow;
}

async function finish(deps: Deps, lease: Lease, row: BackupRow, { proven, settings }: Made): Promise<void> {
  const now = deps.clock.now();
  await deps.db.transact(async (tx) => {
    await lease.confirm(tx);
    const changes = {
      state: 'created',
      progress: null,
      size: proven.size,
      counts: JSON.stringify(proven.counts),
      error_message: null,
      made_at: now,
      verified_at: now,
      updated_at: now,
    } as const;
    await changeBackup(tx, row.backup_id, changes);
    await recordEvent(tx, deps, eventOf('backup_created', row));
    await tellByMail(tx, deps, settings, { ...row, ...changes });
  });
}

async function fail(
  deps: Deps,
  lease: Lease,
  row: BackupRow,
  { error, settings }: { readonly error: unknown; readonly settings: SettingsRow },
): Promise<void> {
  const changes = {
    state: 'error',
    progress: null,
    error_message: failureSentence(error),
    updated_at: deps.clock.now(),
  } as const;
  await deps.db.transact(async (tx) => {
    await lease.confirm(tx);
    await changeBackup(tx, row.backup_id, changes);
    await recordEvent(tx, deps, eventOf('backup_failed', row));
    await tellByMail(tx, deps, settings, { ...row, ...changes });
  });
}

const eventOf = (event_type: 'backup_created' | 'backup_failed', row: BackupRow) => ({
  event_type,
  actor: null,
  origin: NOWHERE,
  target_type: 'backup',
  target_id: row.backup_id,
  details: { scheduled: row.slot !== null, encrypted: row.has_password === 1 },
});

/** What is in the way of removing it has its own error already. */
const removeQuietly = (path: string) => rm(path, { force: true }).catch(() => {});

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  await folder.sync();
  await folder.close();
}
