/** `/metrics`: for a collector on this machine and for site admins; others do not even learn that it is there (`api.md` §3.11). */
import { AppError } from '@passwordbroker/core/contract/problem';
import type { Database } from '../db/database.ts';
import { media } from '../http/answer.ts';
import type { Media } from '../http/answer.ts';
import type { Deps, RequestContext } from '../http/context.ts';
import type { Gauges } from '../platform/metrics.ts';
import { isLocalCollector } from './local-collector.ts';
import { countUnsealed, countWaitingMail, lastBackupAt } from './metrics-repository.ts';

/** @throws AppError `not_found` */
export async function mayReadMetrics(context: RequestContext): Promise<void> {
  if (!isLocalCollector(context.deps.config, context) && context.actor?.isAdmin !== true)
    throw new AppError('not_found');
}

export async function printMetrics({ db, metrics }: Pick<Deps, 'db' | 'metrics'>): Promise<Media> {
  return media(await metrics.print(await gaugesOf(db)));
}

async function gaugesOf(db: Database): Promise<Gauges> {
  const [unsealed, waiting, backup] = await Promise.all([countUnsealed(db), countWaitingMail(db), lastBackupAt(db)]);
  return {
    passwordbroker_audit_unsealed_rows: { help: 'Rows of the audit log that wait for their seal.', value: unsealed },
    passwordbroker_mail_waiting: { help: 'Notices that wait to be mailed.', value: waiting },
    passwordbroker_last_backup_timestamp_seconds: {
      help: 'When the newest backup was made; 0 for never.',
      value: backup / 1000,
    },
  };
}
