/** Warns once a day, by log and mail to site admins, if no backup or copy has succeeded for a day. */
import type { Deps } from '../http/context.ts';
import { insertMail } from '../mail/outbox-repository.ts';
import { BACKUP_OVERDUE } from '../mail/texts.ts';
import type { BackupWarning } from '../mail/texts.ts';
import { Lease } from '../platform/leases/lease.ts';
import { listSiteAdmins } from '../users/user-repository.ts';
import { backupStatus } from './backup-status.ts';

const DAY = 24 * 60 * 60_000;

export const warningLease = (db: Deps['db']) => new Lease(db, 'backup-warnings');

export async function warnIfOverdue(deps: Deps, lease = warningLease(deps.db)): Promise<boolean> {
  const { clock, log } = deps;
  const status = await backupStatus(deps);
  const isCopyOverdue = status.second_target?.overdue === true;
  if (!status.overdue && !isCopyOverdue) return false;
  // Due again after a day, for all processes.
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
