import type { BackupStatus } from '@passwordbroker/core/contract/site/backups';
import type { Deps } from '../http/context.ts';
import { lastBackupAt, readSettings } from './backup-repository.ts';
import { findNewestCopy, findOldestUncopied } from './copies/copy-repository.ts';
import { targetName } from './copies/copy-target.ts';
import { insertMail } from '../mail/outbox-repository.ts';
import { BACKUP_OVERDUE, type BackupWarning } from '../mail/backup-texts.ts';
import { Lease } from '../platform/leases/lease.ts';
import { listSiteAdmins } from '../users/user-repository.ts';

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
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

export const warningLease = (db: Deps['db']) => new Lease(db, 'backup-warnings');

/** Warns site admins once a day, by log and mail, if no backup or copy has succeeded for a day. */
export async function warnIfOverdue(deps: Deps, lease = warningLease(deps.db)): Promise<boolean> {
  const { clock, log } = deps;
  const status = await backupStatus(deps);
  const isCopyOverdue = status.second_target?.overdue === true;
  if (!status.overdue && !isCopyOverdue) return false;
  if (!(await lease.hold(clock.now(), DAY))) return false;
  if (status.overdue)
    log.warn({ event: 'backup_overdue' }, 'no backup has succeeded for a day; see `passwordbroker backup status`');
  if (isCopyOverdue)
    log.warn(
      { event: 'backup_copy_overdue' },
      'no backup has been copied to the second target for a day; see `passwordbroker backup status`',
    );
  await mailAdmins(deps, {
    lastBackupAt: status.overdue ? (status.last_backup_at ?? 'never') : null,
    lastCopyAt: isCopyOverdue ? (status.second_target?.last_copy_at ?? 'never') : null,
    copyError: isCopyOverdue ? (status.second_target?.error_message ?? null) : null,
  });
  await lease.release(clock.now() + DAY);
  return true;
}

async function mailAdmins(deps: Deps, problems: Omit<BackupWarning, 'site' | 'at'>): Promise<void> {
  const { noticesFrom: site, clock, newId } = deps;
  if (site === null) return;
  const now = clock.now();
  const details: BackupWarning = { site, at: new Date(now).toISOString(), ...problems };
  await deps.db.transactBeside(async (tx) => {
    for (const { email } of await listSiteAdmins(tx)) {
      await insertMail(tx, {
        mail_id: newId(),
        notice: BACKUP_OVERDUE,
        recipient: email,
        details: JSON.stringify(details),
        created_at: now,
        due_at: now,
        attempts: 0,
      });
    }
  });
}
