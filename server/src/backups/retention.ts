import { rm } from 'node:fs/promises';
import type { Deps } from '../http/context.ts';
import type { Lease } from '../platform/leases/lease.ts';
import { changeBackup, listCreated, type BackupRow, readSettings, type SettingsRow } from './backup-repository.ts';
import { archivePath, isThere } from './stored-archive.ts';

const DAY = 24 * 60 * 60_000;

/** Removes archives beyond `keep` or older than `keep_days`; rows stay as `deleted`. @throws LeaseLost */
export async function removeSurplus(deps: Deps, lease: Lease): Promise<void> {
  const { db, clock } = deps;
  for await (const row of surplus(deps, await readSettings(db.read))) {
    await rm(archivePath(deps, row), { force: true });
    const now = clock.now();
    await db.transact(async (tx) => {
      await lease.confirm(tx);
      await changeBackup(tx, row.backup_id, { state: 'deleted', deleted_at: now, updated_at: now });
    });
  }
}

type Limits = Pick<SettingsRow, 'keep' | 'keep_days'>;

/** Never the newest good one. Unverified or missing archives do not count. */
async function* surplus(
  deps: Pick<Deps, 'db' | 'config' | 'clock' | 'clockWatch'>,
  { keep, keep_days }: Limits,
): AsyncGenerator<BackupRow> {
  const now = deps.clock.now();
  const oldest = keep_days === 0 || !deps.clockWatch.isSettled() ? -Infinity : now - keep_days * DAY;
  let kept = 0;
  for (let before: string | null = null; ;) {
    const rows = await listCreated(deps.db, before);
    for (const row of rows) {
      const isOld = kept > 0 && (row.made_at ?? row.created_at) < oldest;
      if (kept >= keep || isOld) yield row;
      else if (row.verified_at !== null && (await isThere(deps, row))) kept += 1;
    }
    before = rows.at(-1)?.backup_id ?? null;
    if (before === null) return;
  }
}
