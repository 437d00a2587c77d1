/** What the process does by itself, from time to time. */
import { startAudit } from '../audit/start-audit.ts';
import { startBackups } from '../backups/start-backups.ts';
import type { Deps } from '../http/context.ts';
import { startMailSender } from '../mail/sender.ts';
import { loadArgon2 } from '../platform/passwords/argon2.ts';
import { startClockWatch } from '../platform/clock.ts';
import { startClearing } from '../recovery/left-behind.ts';
import { startSpaceWatch } from '../system/space-watch.ts';
import { startHousekeeping } from '../system/housekeeping.ts';

/** Whoever waits for the first answer after a start is served before that. */
const JOBS_AFTER_MS = 250;

export interface Jobs {
  /** Ends them, beside the last requests; what was not begun is not begun any more. Fulfilled when nothing is at work. */
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

/** Starts them in a moment. `left` is what a former process has left (`listLeftWork`), listed before this one served anybody. */
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
      // What the last requests did is sealed, too.
      await (jobs?.audit ?? startAudit(deps)).stop();
    },
  };
}
