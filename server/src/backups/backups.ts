import {
  type Backup,
  type BackupCopy,
  type BackupCounts,
  BACKUP_TEXTS,
} from '@passwordbroker/core/contract/site/backups';
import { AppError } from '@passwordbroker/core/contract/problem';
import { recordEvent } from '../audit/audit-log.ts';
import { media, type Media } from '../http/answer/answer.ts';
import type { Deps, Caller, Operator } from '../http/context.ts';
import { pageOf, spanOf, type PageQuery } from '../operations/page.ts';
import { openPlainFile } from '../platform/storage/plain-file.ts';
import { countBackups, findBackup, listBackups, listInState, type BackupRow } from './backup-repository.ts';
import { copiesOf, type CopyRow, changeCopy, findCopy, insertCopy } from './copies/copy-repository.ts';
import { targetName } from './copies/copy-target.ts';
import { enqueueIn } from './run/queue.ts';
import { archivePath } from './stored-archive.ts';

const MOST_WAITING = 50;

/** @throws AppError `too_many_requests` if 50 are waiting */
export async function requestBackup(deps: Deps, { actor, origin }: Operator): Promise<Backup> {
  const row = await deps.db.transact(async (tx) => {
    const waiting = await listInState(tx, 'await', MOST_WAITING);
    if (waiting.length >= MOST_WAITING) throw new AppError('too_many_requests', { retryAfter: 60 });
    const queued = await enqueueIn(tx, deps, null);
    if (queued === null) throw new Error('A backup without a slot was refused');
    const target = { target_type: 'backup', target_id: queued.backup_id };
    await recordEvent(tx, deps, { event_type: 'backup_requested', actor, origin, ...target });
    return queued;
  });
  return asBackup(row, undefined);
}

export async function backupPage(deps: Deps, query: PageQuery) {
  const [rows, total] = await Promise.all([listBackups(deps.db, spanOf(query)), countBackups(deps.db)]);
  return pageOf(await asBackups(deps, rows), total, query);
}

export async function backupOf(deps: Deps, id: string): Promise<Backup> {
  const [backup] = await asBackups(deps, [await findRow(deps, id)]);
  if (backup === undefined) throw new AppError('not_found');
  return backup;
}

/** @throws AppError `not_found` unless it is `created` and its file exists */
export async function downloadBackup(deps: Deps, { actor, origin }: Caller, id: string): Promise<Media> {
  const row = await findRow(deps, id);
  const opened = row.state === 'created' ? await openPlainFile(archivePath(deps, row)) : null;
  if (opened === null) throw new AppError('not_found');
  const { file, size } = opened;
  try {
    await deps.db.transact((tx) =>
      recordEvent(tx, deps, { event_type: 'backup_downloaded', actor, origin, target_type: 'backup', target_id: id }),
    );
  } catch (error) {
    await file.close();
    throw error;
  }
  // The stream closes the file, also after a disconnect.
  return media(file.createReadStream(), {
    'content-length': String(size),
    // Our own name needs no escaping.
    'content-disposition': `attachment; filename="${row.file_name}"`,
    'content-security-policy': 'sandbox',
  });
}

export async function findRow(deps: Pick<Deps, 'db'>, id: string): Promise<BackupRow> {
  const row = await findBackup(deps.db.read, id);
  if (row === undefined) throw new AppError('not_found');
  return row;
}

const time = (millis: number | null) => (millis === null ? null : new Date(millis).toISOString());

async function asBackups({ db, config }: Deps, rows: readonly BackupRow[]): Promise<Backup[]> {
  const ids = rows.map(({ backup_id }) => backup_id);
  const copies = config.backupCopy === null ? NONE : await copiesOf(db.read, targetName(config.backupCopy), ids);
  return rows.map((row) => asBackup(row, copies.get(row.backup_id)));
}

const NONE: ReadonlyMap<string, CopyRow> = new Map();

function asBackup(row: BackupRow, copy: CopyRow | undefined): Backup {
  return {
    backup_id: row.backup_id,
    state: row.state,
    file_name: row.file_name,
    size: row.size,
    sha256: row.sha256,
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
    copy: copy === undefined ? null : asCopy(copy),
  };
}

function asCopy({ target, state, copied_at, error_message, due_at }: CopyRow): BackupCopy {
  const isUnderWay = state === 'waiting' || state === 'failed';
  return { target, state, copied_at: time(copied_at), error_message, next_try_at: isUnderWay ? time(due_at) : null };
}

/** @throws AppError `not_found` unless it is `created`; `conflict` without a second target */
export async function requestCopy(deps: Deps, { actor, origin }: Operator, id: string): Promise<void> {
  const { db, config, clock } = deps;
  await db.transact(async (tx) => {
    if ((await findBackup(tx, id))?.state !== 'created') throw new AppError('not_found');
    if (config.backupCopy === null) throw new AppError('conflict', { message: BACKUP_TEXTS.noCopyTarget });
    const target = targetName(config.backupCopy);
    const now = clock.now();
    await insertCopy(tx, id, target, now);
    if ((await findCopy(tx, id, target))?.state === 'copying') return;
    const again = { state: 'waiting', attempts: 0, due_at: now, error_message: null, updated_at: now } as const;
    await changeCopy(tx, { backup_id: id, target }, again);
    const details = { second_target: config.backupCopy.kind };
    await recordEvent(tx, deps, {
      event_type: 'backup_requested',
      actor,
      origin,
      target_type: 'backup',
      target_id: id,
      details,
    });
  });
}
