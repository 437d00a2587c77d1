import { parse, v7 } from 'uuid';
import type { Transact } from '../../db/database.ts';
import type { Deps } from '../../http/context.ts';
import {
  findNewestId,
  insertBackup,
  type BackupRow,
  hasSlot,
  readSettings,
  hoursOf,
  type SettingsRow,
} from '../backup-repository.ts';
import { freeName } from '../stored-archive.ts';
import { hasUsers } from '../../users/user-repository.ts';
import { dueSlot } from '../schedule.ts';

type QueueDeps = Pick<Deps, 'db' | 'clock' | 'newId' | 'config' | 'timeZone'>;

/** Queues the newest due slot once for all processes (docs/spec/decisions.md H6). */
export async function queueDueSlot(deps: Deps): Promise<boolean> {
  const slot = slotOf(deps, await readSettings(deps.db.read));
  if (slot === null || (await hasSlot(deps.db, slot)) || !(await hasUsers(deps.db))) return false;
  return (await deps.db.transact((tx) => enqueueIn(tx, deps, slot))) !== null;
}

/** Queues what the old settings made due, in the transaction that changes them. */
export async function queueDueSlotIn(tx: Transact, deps: QueueDeps, present: SettingsRow): Promise<void> {
  const slot = slotOf(deps, present);
  if (slot !== null) await enqueueIn(tx, deps, slot);
}

function slotOf({ timeZone, clock }: QueueDeps, settings: SettingsRow): string | null {
  if (settings.enabled === 0) return null;
  return dueSlot({ hours: hoursOf(settings), chosenAt: settings.updated_at }, timeZone, clock.now());
}

/** Null if the slot already has its backup. */
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

/** Ids rise even if the clock was set back: retention relies on it (R27). */
function idAfter(newest: string | undefined, id: string): string {
  if (newest === undefined || newest < id) return id;
  const millis = Buffer.from(parse(newest)).readUIntBE(0, 6);
  return v7({ msecs: millis + 1 });
}
