/** Backups asked for and made by the scheduler's own round. */
import * as backups from '@passwordbroker/core/contract/site/backups';
import type { Backup } from '@passwordbroker/core/contract/site/backups';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';
import { makeWaiting } from '../run/make-backup.ts';

/** Whatever becomes of it. */
export async function madeBackup(app: TestApp, admin: SignedIn): Promise<Backup> {
  const { backup_id: id } = await admin.call(backups.create);
  await makeWaiting(app.deps);
  return admin.call(backups.get, { params: { id } });
}
