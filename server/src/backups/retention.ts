/** Removes the archives of backups beyond the newest `keep`; their rows stay as `deleted` (decision H5). */
import { rm } from 'node:fs/promises';
import type { Deps } from '../http/context.ts';
import type { Lease } from '../platform/lease.ts';
import { changeBackup, listSurplus } from './backup-repository.ts';
import { archivePath } from './backups.ts';
import { readSettings } from './settings-repository.ts';

export async function removeSurplus(deps: Deps, lease: Lease): Promise<void> {
  const { db, clock } = deps;
  const { keep } = await readSettings(db.read);
  for (;;) {
    const surplus = await listSurplus(db, keep);
    if (surplus.length === 0) return;
    for (const row of surplus) {
      await rm(archivePath(deps, row), { force: true });
      const now = clock.now();
      await db.transact(async (tx) => {
        await lease.confirm(tx);
        await changeBackup(tx, row.backup_id, { state: 'deleted', deleted_at: now, updated_at: now });
      });
    }
  }
}
