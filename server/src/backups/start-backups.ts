import type { Deps } from '../http/context.ts';
import { Lease, LeaseLost } from '../platform/leases/lease.ts';
import { periodicJob } from '../platform/periodic-job.ts';
import { warnIfOverdue, warningLease } from './backup-status.ts';
import { copyDue, copyLease, queueAtStart } from './copies/copy-due.ts';
import { CopyThread } from './copies/copy-thread.ts';
import { backupLease, makeWaiting } from './run/make-backup.ts';
import { queueDueSlot } from './run/queue.ts';
import { removeSurplus } from './retention.ts';
import { clearLeftWork, listLeftWork } from './work-folder.ts';

const LOOK_EVERY = 1000;
const LOOK_SELDOM = 15_000;
const HOUR = 60 * 60_000;
const LOOPBACK = /^(?:localhost|127\..*|\[::1\])$/;

/**
 * Starts all background jobs; `stop` resolves once none runs.
 * @param left files of dead processes; list them before this process serves
 */
export function startBackups(deps: Deps, left = listLeftWork(deps.config.dataDir)): { stop(): Promise<void> } {
  const lease = backupLease(deps.db);
  const stopping = new AbortController();
  const one = (work: () => Promise<unknown>) => oneAtATime(deps, stopping.signal, work);
  const cleared = clearLeftWork(left, deps.db.dialect === 'sqlite').catch((error: unknown) =>
    deps.log.error({ error }, 'Remains of interrupted backups could not be removed; the next start tries again'),
  );
  // Queues an hour even during a long backup.
  const queueing = one(() => queueDueSlot(deps));
  const making = one(async () => {
    await cleared;
    await makeWaiting(deps, lease, stopping.signal);
  });
  const copy = copyingOf(deps);
  const copying = one(() => copy(stopping.signal));
  const removeOld = removalOfOld(deps);
  const removing = one(() => removeOld(stopping.signal));
  const warnings = warningLease(deps.db);
  const warning = one(() => warnIfOverdue(deps, warnings));
  const jobs = [queueing, making, copying, removing, warning];
  const look = (some: typeof jobs) => {
    if (deps.recovery.isRunning) return;
    for (const job of some) job.begin();
  };
  warnAboutPlainStore(deps);
  look(jobs);
  const timers = [
    setInterval(() => look([queueing, making, copying]), LOOK_EVERY).unref(),
    setInterval(() => look([removing, warning]), LOOK_SELDOM).unref(),
  ];
  return {
    async stop() {
      for (const timer of timers) clearInterval(timer);
      stopping.abort();
      await Promise.all(jobs.map((job) => job.end()));
    },
  };
}

/** Separate, so that a slow target delays no backup. */
function copyingOf(deps: Deps) {
  const [lease, thread] = [copyLease(deps.db), new CopyThread()];
  let isFirst = true;
  return async (stopping: AbortSignal) => {
    if (isFirst) await queueAtStart(deps);
    isFirst = false;
    await copyDue(deps, { lease, thread, stopping });
  };
}

/** Over plain http, only an archive password keeps the archive secret. */
function warnAboutPlainStore({ config, log }: Pick<Deps, 'config' | 'log'>): void {
  if (config.backupCopy?.kind !== 's3') return;
  const { protocol, hostname } = new URL(config.backupCopy.endpoint);
  if (protocol === 'https:' || LOOPBACK.test(hostname)) return;
  log.warn({ host: hostname }, 'BACKUP_S3_ENDPOINT is plain http: archives cross the network without TLS; use https');
}

function removalOfOld(deps: Deps) {
  const lease = new Lease(deps.db, 'backup-retention');
  return periodicJob(deps, { name: lease.name, every: HOUR, lease, work: () => removeSurplus(deps, lease) });
}

/** `begin` does nothing while the job runs. */
function oneAtATime({ log }: Pick<Deps, 'log'>, stopping: AbortSignal, work: () => Promise<unknown>) {
  let running: Promise<unknown> | null = null;
  return {
    begin() {
      running ??= work()
        .catch((error: unknown) => {
          if (stopping.aborted || error instanceof LeaseLost) return;
          log.error({ error }, 'Background job of backups failed; it runs again at its next time');
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
