/** Backups while the process lives: at their hours, and whenever somebody asks for one. */
import type { Deps } from '../http/context.ts';
import { LeaseLost } from '../platform/lease.ts';
import { hasUsers } from '../users/user-repository.ts';
import { hasSlot } from './backup-repository.ts';
import { enqueueBackup } from './enqueue.ts';
import { backupLease, makeWaiting } from './make-backup.ts';
import { lastSlot } from './schedule.ts';
import { hoursOf } from './settings.ts';
import { readSettings } from './settings-repository.ts';
import { clearLeftWork } from './work-folder.ts';

const LOOK_EVERY = 1000;

/** Queues the backup of the newest slot, if it has none. Answers whether it did. */
export async function queueDueSlot(deps: Deps): Promise<boolean> {
  const settings = await readSettings(deps.db.read);
  if (settings.enabled === 0) return false;
  const slot = lastSlot(hoursOf(settings), deps.timeZone, deps.clock.now());
  // An hour that had passed when it was chosen was not missed.
  if (slot === null || slot.at <= settings.updated_at || (await hasSlot(deps.db, slot.slot))) return false;
  if (!(await hasUsers(deps.db))) return false;
  return (await enqueueBackup(deps, slot.slot)) !== null;
}

/** `stop` is fulfilled when nothing is at work any more; what was being made is made after the next start. */
export function startBackups(deps: Deps): { stop(): Promise<void> } {
  const lease = backupLease(deps.db);
  const stopping = new AbortController();
  let running: Promise<unknown> | null = null;
  const round = async () => {
    if (deps.recovery.isRunning) return;
    await queueDueSlot(deps);
    await makeWaiting(deps, lease, stopping.signal);
  };
  const run = (work: () => Promise<unknown>) => {
    running ??= work()
      .catch((error: unknown) => {
        if (stopping.signal.aborted || error instanceof LeaseLost) return;
        deps.log.error({ error }, 'the round of the backups failed');
      })
      .finally(() => {
        running = null;
      });
  };
  run(async () => {
    await clearLeftWork(deps.config.dataDir, deps.db.dialect === 'sqlite');
    await round();
  });
  const timer = setInterval(() => run(round), LOOK_EVERY).unref();
  return {
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}
