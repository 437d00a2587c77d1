/** Backups while the process lives: at their hours, and whenever somebody asks for one. */
import type { Deps } from '../http/context.ts';
import { LeaseLost } from '../platform/lease.ts';
import { backupLease, makeWaiting } from './make-backup.ts';
import { queueDueSlot } from './queue-slot.ts';
import { clearLeftWork, listLeftWork } from './work-folder.ts';

const LOOK_EVERY = 1000;

/**
 * `left` is what was there before this process served anybody. `stop` is fulfilled when nothing is at work any more; what was being made is made after the
 * next start.
 */
export function startBackups(deps: Deps, left = listLeftWork(deps.config.dataDir)): { stop(): Promise<void> } {
  const lease = backupLease(deps.db);
  const stopping = new AbortController();
  const one = (work: () => Promise<unknown>) => oneAtATime(deps, stopping.signal, work);
  const cleared = clearLeftWork(left, deps.db.dialect === 'sqlite').catch((error: unknown) =>
    deps.log.error({ error }, 'what former backups have left could not be removed'),
  );
  // An hour that comes while a long backup is made waits behind it, and is not passed over for the next one.
  const queueing = one(() => queueDueSlot(deps));
  const making = one(async () => {
    await cleared;
    await makeWaiting(deps, lease, stopping.signal);
  });
  const look = () => {
    if (deps.recovery.isRunning) return;
    queueing.begin();
    making.begin();
  };
  look();
  const timer = setInterval(look, LOOK_EVERY).unref();
  return {
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await Promise.all([queueing.end(), making.end()]);
    },
  };
}

/** Begins it unless it is still at work. */
function oneAtATime({ log }: Pick<Deps, 'log'>, stopping: AbortSignal, work: () => Promise<unknown>) {
  let running: Promise<unknown> | null = null;
  return {
    begin() {
      running ??= work()
        .catch((error: unknown) => {
          if (stopping.aborted || error instanceof LeaseLost) return;
          log.error({ error }, 'the round of the backups failed');
        })
        .finally(() => {
          running = null;
        });
    },
    end: async () => {
      await running;
    },
  };
}
