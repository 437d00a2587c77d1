/** Puts a backup into the queue under a name that nothing else has. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Deps } from '../http/context.ts';
import { hasFileName, insertBackup } from './backup-repository.ts';
import type { BackupRow } from './backup-repository.ts';
import { archiveName } from './archive-name.ts';
import { readSettings } from './settings-repository.ts';

const SECOND = 1000;

/** Null when the slot has its backup already. */
export async function enqueueBackup(
  deps: Pick<Deps, 'db' | 'clock' | 'newId' | 'config' | 'timeZone'>,
  slot: string | null,
): Promise<BackupRow | null> {
  const now = deps.clock.now();
  return deps.db.transact(async (tx) => {
    const isSealed = (await readSettings(tx)).recipient !== null;
    let [at, isTaken] = [now, true];
    while (isTaken) {
      const names = [true, false].map((sealed) => archiveName(at, deps.timeZone, sealed));
      isTaken = (await hasFileName(tx, names)) || names.some((name) => existsSync(join(deps.config.backupDir, name)));
      if (isTaken) at += SECOND;
    }
    const row: BackupRow = {
      backup_id: deps.newId(),
      state: 'await',
      file_name: archiveName(at, deps.timeZone, isSealed),
      slot,
      has_password: isSealed ? 1 : 0,
      attempts: 0,
      progress: null,
      size: null,
      counts: null,
      error_message: null,
      made_at: null,
      deleted_at: null,
      verified_at: null,
      created_at: now,
      updated_at: now,
    };
    return (await insertBackup(tx, row)) ? row : null;
  });
}
