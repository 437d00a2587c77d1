import type { Transact } from '../../db/database.ts';
import type { Deps } from '../../http/context.ts';
import { hasUsers } from '../../users/user-repository.ts';
import { hasSlot } from '../backup-repository.ts';
import { enqueueBackup, enqueueIn } from './enqueue.ts';
import type { QueueDeps } from './enqueue.ts';
import { dueSlot } from '../schedule.ts';
import { hoursOf, readSettings } from '../settings-repository.ts';
import type { SettingsRow } from '../settings-repository.ts';

/** Queues the newest due slot once, whatever the number of processes (docs/spec/decisions.md H6). */
export async function queueDueSlot(deps: Deps): Promise<boolean> {
  const slot = slotOf(deps, await readSettings(deps.db.read));
  if (slot === null || (await hasSlot(deps.db, slot)) || !(await hasUsers(deps.db))) return false;
  return (await enqueueBackup(deps, slot)) !== null;
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
