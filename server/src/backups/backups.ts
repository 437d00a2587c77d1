/** Backups as site admins see them: asked for, listed, downloaded, proven once more (`api.md` §3.11). */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { BACKUP_TEXTS } from '@passwordbroker/core/contract/backups';
import type { Backup, BackupCounts } from '@passwordbroker/core/contract/backups';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import { recordEvent } from '../audit/audit-log.ts';
import { media } from '../http/answer.ts';
import type { Media } from '../http/answer.ts';
import type { Deps } from '../http/context.ts';
import type { Caller } from '../operations/caller.ts';
import { pageOf, spanOf } from '../operations/page.ts';
import type { PageQuery } from '../operations/page.ts';
import { ArchiveError } from './archive-problem.ts';
import { changeBackup, countBackups, findBackup, listBackups } from './backup-repository.ts';
import type { BackupRow } from './backup-repository.ts';
import { enqueueBackup } from './enqueue.ts';
import { proveStored } from './prove-stored.ts';

export async function requestBackup(deps: Deps): Promise<Backup> {
  const row = await enqueueBackup(deps, null);
  if (row === null) throw new Error('A backup without a slot was refused');
  return asBackup(row);
}

export async function backupPage(deps: Deps, query: PageQuery) {
  const [rows, total] = await Promise.all([listBackups(deps.db, spanOf(query)), countBackups(deps.db)]);
  return pageOf(rows.map(asBackup), total, query);
}

/** @throws AppError `not_found` */
export async function backupOf(deps: Deps, id: string): Promise<Backup> {
  return asBackup(await findRow(deps, id));
}

/** The archive as a stream. @throws AppError `not_found` in other states than `created`, and when the file is gone */
export async function downloadBackup(deps: Deps, { actor, origin }: Caller, id: string): Promise<Media> {
  const row = await findRow(deps, id);
  const path = archivePath(deps, row);
  const found = row.state === 'created' ? await stat(path).catch(() => null) : null;
  if (found === null) throw new AppError('not_found');
  await deps.db.transact((tx) =>
    recordEvent(tx, deps, { event_type: 'backup_downloaded', actor, origin, target_type: 'backup', target_id: id }),
  );
  return media(createReadStream(path), {
    'content-length': String(found.size),
    // A name of ours, of letters, digits, dots and underscores.
    'content-disposition': `attachment; filename="${row.file_name}"`,
    'content-security-policy': 'sandbox',
  });
}

/** Restores it into a scratch database once more. @throws AppError `not_found`, `validation` (password), `conflict` when it is damaged */
export async function verifyBackup(deps: Deps, { actor, origin }: Caller, id: string, password: string | undefined) {
  const row = await findRow(deps, id);
  if (row.state !== 'created') throw new AppError('not_found');
  if (row.has_password === 1 && (password ?? '') === '') throw refuse('password', BACKUP_TEXTS.passwordWrong);
  const event = { event_type: 'backup_verified', actor, origin, target_type: 'backup', target_id: id } as const;
  const now = () => deps.clock.now();
  try {
    const proven = await proveStored(deps, archivePath(deps, row), row.has_password === 1 ? (password ?? null) : null);
    await deps.db.transact(async (tx) => {
      const counts = JSON.stringify(proven.counts);
      await changeBackup(tx, id, { verified_at: now(), updated_at: now(), error_message: null, counts });
      await recordEvent(tx, deps, { ...event, details: { ok: true } });
    });
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    if (error.fault === 'password') throw refuse('password', error.message);
    if (error.fault === 'space') throw new AppError('insufficient_storage', { message: error.message });
    await deps.db.transact(async (tx) => {
      const changes = { error_message: BACKUP_TEXTS.damaged, verified_at: null, updated_at: now() };
      await changeBackup(tx, id, changes);
      await recordEvent(tx, deps, { ...event, details: { ok: false } });
    });
    throw new AppError('conflict', { message: BACKUP_TEXTS.damaged });
  }
  return backupOf(deps, id);
}

export const archivePath = ({ config }: Pick<Deps, 'config'>, { file_name }: Pick<BackupRow, 'file_name'>): string =>
  join(config.backupDir, file_name);

async function findRow(deps: Deps, id: string): Promise<BackupRow> {
  const row = await findBackup(deps.db.read, id);
  if (row === undefined) throw new AppError('not_found');
  return row;
}

const time = (millis: number | null) => (millis === null ? null : new Date(millis).toISOString());

function asBackup(row: BackupRow): Backup {
  return {
    backup_id: row.backup_id,
    state: row.state,
    file_name: row.file_name,
    size: row.size,
    password: null,
    has_password: row.has_password === 1,
    error_message: row.error_message,
    backup_created: time(row.made_at),
    backup_deleted: time(row.deleted_at),
    verified_at: time(row.verified_at),
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
    counts: row.counts === null ? null : (JSON.parse(row.counts) as BackupCounts),
    progress: row.state === 'creating' ? row.progress : null,
  };
}
