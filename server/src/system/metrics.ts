/** `/metrics`: for a collector on this machine and for site admins; others do not even learn that it is there (docs/spec/api.md §3.11). */
import { AppError } from '@passwordbroker/core/contract/problem';
import { backupStatus } from '../backups/backup-status.ts';
import { media } from '../http/answer/answer.ts';
import type { Media } from '../http/answer/answer.ts';
import type { Deps, RequestContext } from '../http/context.ts';
import type { Gauges } from '../platform/metrics.ts';
import { isLocalCollector } from './local-collector.ts';
import { countUnsealed, countWaitingMail } from './metrics-repository.ts';

/** @throws AppError `not_found` */
export async function mayReadMetrics(context: RequestContext): Promise<void> {
  if (!isLocalCollector(context.deps.config, context) && context.actor?.isAdmin !== true)
    throw new AppError('not_found');
}

export async function printMetrics(deps: Deps): Promise<Media> {
  return media(await deps.metrics.print(await gaugesOf(deps)));
}

async function gaugesOf(deps: Deps): Promise<Gauges> {
  const { db } = deps;
  const [unsealed, waiting, backups] = await Promise.all([countUnsealed(db), countWaitingMail(db), backupStatus(deps)]);
  const { last_backup_at, overdue, second_target } = backups;
  return {
    passwordbroker_audit_unsealed_rows: { help: 'Rows of the audit log that wait for their seal.', value: unsealed },
    passwordbroker_mail_waiting: { help: 'Notices that wait to be mailed.', value: waiting },
    passwordbroker_last_backup_timestamp_seconds: {
      help: 'When the newest backup was made; 0 for never.',
      value: secondsOf(last_backup_at),
    },
    passwordbroker_backup_overdue: {
      help: '1 while backups are enabled and none has succeeded for a day.',
      value: overdue ? 1 : 0,
    },
    passwordbroker_last_backup_copy_timestamp_seconds: {
      help: 'When a backup was last copied to the second target; 0 for never, or without one.',
      value: secondsOf(second_target?.last_copy_at ?? null),
    },
    passwordbroker_backup_copy_overdue: {
      help: '1 while a backup has waited for a day to be copied to the second target.',
      value: second_target?.overdue === true ? 1 : 0,
    },
  };
}

const secondsOf = (time: string | null) => (time === null ? 0 : Date.parse(time) / 1000);
