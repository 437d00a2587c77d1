/** Requests backups and runs the scheduler's queue. */
import * as backups from '@passwordbroker/core/contract/site/backups';
import type { Backup } from '@passwordbroker/core/contract/site/backups';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';
import { makeWaiting } from '../run/make-backup.ts';

/** Returns the backup, also a failed one. */
export async function madeBackup(app: TestApp, admin: SignedIn): Promise<Backup> {
  const { backup_id: id } = await admin.call(backups.create);
  await makeWaiting(app.deps);
  return admin.call(backups.get, { params: { id } });
}
