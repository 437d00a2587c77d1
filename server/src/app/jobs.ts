import { startAudit } from '../audit/start-audit.ts';
import { startBackups } from '../backups/start-backups.ts';
import type { Deps } from '../http/context.ts';
import { startMailSender } from '../mail/sender.ts';
import { loadArgon2 } from '../platform/passwords/argon2.ts';
import { startClockWatch } from '../platform/clock.ts';
import { startClearing } from '../recovery/left-behind.ts';
import { startSpaceWatch, startHousekeeping } from '../system/housekeeping.ts';

/** First requests go before jobs. */
const JOBS_AFTER_MS = 250;

export interface Jobs {
  /** Stops the jobs while the last `requests` finish; resolves when none is running. */
  stop(requests: Promise<unknown>): Promise<void>;
}

function startJobs(deps: Deps, left: readonly string[]) {
  loadArgon2().catch((error: unknown) => deps.log.error({ error }, 'no key can be derived: nobody can sign in'));
  return {
    housekeeping: startHousekeeping(deps),
    audit: startAudit(deps),
    backups: startBackups(deps, left),
    clearing: startClearing(deps),
    mail: startMailSender(deps),
    space: startSpaceWatch(deps),
    clock: startClockWatch(deps),
  };
}

/** Starts the jobs shortly. `left`: files listed before the first request (`listLeftWork`). */
export function planJobs(deps: Deps, left: readonly string[]): Jobs {
  let jobs: ReturnType<typeof startJobs> | null = null;
  const starting = setTimeout(() => (jobs = startJobs(deps, left)), JOBS_AFTER_MS);
  return {
    async stop(requests) {
      clearTimeout(starting);
      jobs?.clock.stop();
      await Promise.all([
        jobs?.housekeeping.stop(),
        jobs?.backups.stop(),
        jobs?.clearing.stop(),
        jobs?.space.stop(),
        requests,
      ]);
      if (jobs === null) deps.mailer?.close();
      else await jobs.mail.stop();
      // Seals the audit rows of the last requests.
      await (jobs?.audit ?? startAudit(deps)).stop();
    },
  };
}
