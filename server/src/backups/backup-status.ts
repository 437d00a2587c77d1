import type { BackupStatus } from '@passwordbroker/core/contract/site/backups';
import type { Deps } from '../http/context.ts';
import { lastBackupAt } from './backup-repository.ts';
import { findNewestCopy, findOldestUncopied } from './copies/copy-repository.ts';
import { targetName } from './copies/copy-target.ts';
import { readSettings } from './settings-repository.ts';

const HOUR = 60 * 60_000;
/** A day plus the time that a backup may take. */
const OVERDUE_AFTER = 26 * HOUR;

type StatusDeps = Pick<Deps, 'db' | 'config' | 'clock'>;

export async function backupStatus(deps: StatusDeps): Promise<BackupStatus> {
  const settings = await readSettings(deps.db.read);
  const now = deps.clock.now();
  const last = await lastBackupAt(deps.db, now);
  const since = settings.enabled_at ?? settings.updated_at;
  // Ignores future times of a wrong clock.
  const known = [last, since].filter((at) => at <= now + HOUR);
  return {
    enabled: settings.enabled === 1,
    archive_password_set: settings.recipient !== null,
    last_backup_at: timeOf(last),
    overdue: settings.enabled === 1 && Math.max(0, ...known) < now - OVERDUE_AFTER,
    second_target: await secondTarget(deps, now),
  };
}

async function secondTarget({ db, config }: StatusDeps, now: number): Promise<BackupStatus['second_target']> {
  if (config.backupCopy === null) return null;
  const target = targetName(config.backupCopy);
  const copied = await findNewestCopy(db.read, target, ['copied']);
  const newest = await findNewestCopy(db.read, target, ['waiting', 'copying', 'copied', 'failed']);
  const waitingSince = await findOldestUncopied(db.read, target, copied?.backup_id ?? '');
  return {
    kind: config.backupCopy.kind,
    target,
    last_copy_at: timeOf(copied?.copied_at ?? 0),
    overdue: waitingSince !== undefined && waitingSince < now - OVERDUE_AFTER,
    error_message: newest?.state === 'copied' ? null : (newest?.error_message ?? null),
  };
}

const timeOf = (millis: number) => (millis === 0 ? null : new Date(millis).toISOString());
