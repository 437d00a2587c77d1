/** The process: configuration, start, stop. */
import { fileURLToPath } from 'node:url';
import { createApp } from './app.ts';
import { startAudit } from './audit/start-audit.ts';
import { startBackups } from './backups/start-backups.ts';
import { ConfigError, readConfig } from './config.ts';
import type { Config } from './config.ts';
import { openDeps } from './deps.ts';
import type { Deps } from './http/context.ts';
import { startMailSender } from './mail/sender.ts';
import { createLog } from './platform/log.ts';
import { startClearing } from './recovery/left-behind.ts';
import { clockProblem, startProblem } from './start-problem.ts';
import { startHousekeeping } from './system/housekeeping.ts';
import { VERSION } from './version.ts';

const STOP_WITHIN_MS = 25_000;
/** Whoever waits for the first answer after a start is served before that. */
const JOBS_AFTER_MS = 250;
const WEB_DIR = fileURLToPath(new URL('../../web/dist/', import.meta.url));

// Everything that this process writes is private to its account (threats §3.1.36).
process.umask(0o077);

function configOrExit(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    stopWith(`The configuration is wrong:\n${error.problems.map((problem) => `  - ${problem}`).join('\n')}`);
  }
}

function stopWith(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

/** What is done from time to time. */
function startJobs(deps: Deps) {
  return {
    housekeeping: startHousekeeping(deps),
    audit: startAudit(deps),
    backups: startBackups(deps),
    clearing: startClearing(deps),
    mail: startMailSender(deps),
  };
}

type Jobs = ReturnType<typeof startJobs>;

async function start(config: Config): Promise<void> {
  const log = createLog(config.logLevel);
  const deps = await openDeps(config, log);
  const app = await createApp(deps, { webDir: WEB_DIR });
  await app.listen({ host: config.host, port: config.port });
  log.info({ host: config.host, port: config.port, url: config.publicUrl, version: VERSION }, 'listening');
  let jobs: Jobs | null = null;
  const starting = setTimeout(() => (jobs = startJobs(deps)), JOBS_AFTER_MS);

  let stopping = false;
  const stop = (signal: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    setTimeout(() => stopWith('Requests were still running after 25 s.'), STOP_WITHIN_MS).unref();
    clearTimeout(starting);
    const { housekeeping, audit, backups, clearing, mail } = jobs ?? startJobs(deps);
    void Promise.all([housekeeping.stop(), backups.stop(), clearing.stop(), app.close()])
      .then(() => mail.stop())
      // What the last requests did is sealed, too.
      .then(() => audit.stop())
      .then(() => deps.db.close())
      .then(() => process.exit(0));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

const config = configOrExit();
const wrongClock = clockProblem(Date.now());
if (wrongClock !== null) stopWith(wrongClock);
start(config).catch((error: unknown) => {
  const problem = startProblem(error, config.dataDir);
  if (problem === null) throw error;
  stopWith(problem);
});
