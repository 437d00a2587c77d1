/** Removes the archives beyond the newest `keep`; their rows stay as `deleted` (decision H5). */
import { rm } from 'node:fs/promises';
import type { Deps } from '../http/context.ts';
import type { Lease } from '../platform/lease.ts';
import { changeBackup, listCreated } from './backup-repository.ts';
import type { BackupRow } from './backup-repository.ts';
import { readSettings } from './settings-repository.ts';
import { archivePath, isThere } from './stored-archive.ts';

export async function removeSurplus(deps: Deps, lease: Lease): Promise<void> {
  const { db, clock } = deps;
  const { keep } = await readSettings(db.read);
  for await (const row of surplus(deps, keep)) {
    await rm(archivePath(deps, row), { force: true });
    const now = clock.now();
    await db.transact(async (tx) => {
      await lease.confirm(tx);
      await changeBackup(tx, row.backup_id, { state: 'deleted', deleted_at: now, updated_at: now });
    });
  }
}

/** All that are older than the last one of those that are kept. One that is found damaged, or gone, keeps no place: it pushes no good one out. */
async function* surplus(deps: Pick<Deps, 'db' | 'config'>, keep: number): AsyncGenerator<BackupRow> {
  let kept = 0;
  for (let before: string | null = null; ;) {
    const rows = await listCreated(deps.db, before);
    for (const row of rows) {
      if (kept >= keep) yield row;
      else if (row.verified_at !== null && (await isThere(deps, row))) kept += 1;
    }
    before = rows.at(-1)?.backup_id ?? null;
    if (before === null) return;
  }
}
