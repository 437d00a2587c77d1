import { parse, v7 } from 'uuid';
import type { Transact } from '../../db/database.ts';
import type { Deps } from '../../http/context.ts';
import { findNewestId, insertBackup } from '../backup-repository.ts';
import type { BackupRow } from '../backup-repository.ts';
import { freeName } from './free-name.ts';
import { readSettings } from '../settings-repository.ts';

export type QueueDeps = Pick<Deps, 'db' | 'clock' | 'newId' | 'config' | 'timeZone'>;

/** Null if the slot already has its backup. */
export const enqueueBackup = (deps: QueueDeps, slot: string | null): Promise<BackupRow | null> =>
  deps.db.transact((tx) => enqueueIn(tx, deps, slot));

/** As `enqueueBackup`, in the caller's transaction. The name is unused. */
export async function enqueueIn(tx: Transact, deps: QueueDeps, slot: string | null): Promise<BackupRow | null> {
  const now = deps.clock.now();
  const isSealed = (await readSettings(tx)).recipient !== null;
  const { name } = await freeName(tx, deps, now, isSealed);
  const row: BackupRow = {
    backup_id: idAfter(await findNewestId(tx), deps.newId()),
    state: 'await',
    file_name: name,
    slot,
    has_password: isSealed ? 1 : 0,
    attempts: 0,
    progress: null,
    size: null,
    sha256: null,
    counts: null,
    error_message: null,
    made_at: null,
    deleted_at: null,
    verified_at: null,
    created_at: now,
    updated_at: now,
  };
  return (await insertBackup(tx, row)) ? row : null;
}

/** Ids follow the order of requests even if the clock was set back: retention relies on it (R27). */
function idAfter(newest: string | undefined, id: string): string {
  if (newest === undefined || newest < id) return id;
  const millis = Buffer.from(parse(newest)).readUIntBE(0, 6);
  return v7({ msecs: millis + 1 });
}
