import { BACKUP_TEXTS } from '@passwordbroker/core/contract/site/backups';
import { AppError } from '@passwordbroker/core/contract/problem';
import { recordEvent } from '../../audit/audit-log.ts';
import type { Deps } from '../../http/context.ts';
import type { Operator } from '../../operations/operation.ts';
import { findBackup } from '../backup-repository.ts';
import { changeCopy, findCopy, insertCopy } from './copy-repository.ts';
import { targetName } from './copy-target.ts';

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
