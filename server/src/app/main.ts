/** The server process. */
import { writeSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createApp } from './app.ts';
import { listLeftWork } from '../backups/work-folder.ts';
import { ConfigError, readConfig, type Config } from './config.ts';
import { lostWrite, isDamage, storageFailure } from '../db/failures.ts';
import { removeUpgradeCopies } from '../db/sqlite/upgrade-copy.ts';
import { openDeps } from './deps.ts';
import { planJobs } from './jobs.ts';
import { createLog } from '../platform/log.ts';
import { makeSetupToken } from '../users/setup-token.ts';
import { VERSION } from '@passwordbroker/core/contract/client';
import { RELEASED } from './version.ts';
import { DataDirShared } from '../db/data-folder.ts';
import { SchemaError } from '../db/schema/migrate.ts';
import { DataDirInUse } from '../db/sqlite/connections.ts';

const STOP_WITHIN_MS = 25_000;
/** The bundle in server/dist/ is one folder less deep. */
const ROOT = import.meta.url.endsWith('.ts') ? '../../../' : '../../';
const WEB_DIR = fileURLToPath(new URL(`${ROOT}web/dist/`, import.meta.url));

// Files are private to this account (docs/spec/threats.md §3.1.36).
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

/**
 * Kills the process after an I/O error of the writer: the disk state is unknown, and a clean exit would write
 * again. SQLite recovers at the next start.
 */
function endWithoutCleanUp({ dataDir }: Config, code: string): void {
  writeSync(
    process.stderr.fd,
    `Storage failed: I/O error ${code} at ${dataDir}. The process ends; check the disk and start it again.\n`,
  );
  process.kill(process.pid, 'SIGKILL');
}

const setupTokenLine = (token: string) =>
  `Nobody has signed up yet. Setup token for the first sign-up or a recovery, until the next start: ${token}`;

async function start(config: Config): Promise<void> {
  const log = createLog(config.logLevel);
  const onLostWrite = (code: string) => endWithoutCleanUp(config, code);
  // Imports and backups run in threads.
  process.on('worker', (worker) =>
    worker.on('error', (error) => {
      const code = lostWrite(error, config.dataDir);
      if (code !== null) onLostWrite(code);
    }),
  );
  let upgradeCopy: string | null = null;
  const onUpgradeCopy = (path: string) => {
    upgradeCopy = path;
    log.warn(
      { upgrade_copy: path },
      'Database upgrade begins; a verified copy of the database is kept until the next start',
    );
  };
  const deps = await openDeps(config, log, { onLostWrite, onUpgradeCopy });
  const token = await makeSetupToken(deps);
  if (token !== null) process.stderr.write(`${setupTokenLine(token)}\n`);
  const left = listLeftWork(config.dataDir);
  const app = await createApp(deps, { webDir: WEB_DIR });
  await app.listen({ host: config.host, port: config.port });
  log.info({ host: config.host, port: config.port, url: config.publicUrl, version: VERSION }, 'listening');
  try {
    removeUpgradeCopies(config.dataDir, upgradeCopy);
  } catch (error) {
    log.warn({ error }, 'Database copies of earlier upgrades could not be removed; remove them by hand');
  }
  const jobs = planJobs(deps, left);

  let stopping = false;
  const stop = (signal: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    setTimeout(() => stopWith('Requests were still running after 25 s.'), STOP_WITHIN_MS).unref();
    void jobs
      .stop(app.close())
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

/** Data folder errors that an operator can fix. */
const REFUSALS = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENAMETOOLONG', 'ELOOP']);

const TOLD_AS_THEY_ARE = [SchemaError, DataDirInUse, DataDirShared];

/** Returns the operator's sentence (docs/spec/threats.md §5.2.5); null for a bug. */
export function startProblem(error: unknown, dataDir: string): string | null {
  if (!(error instanceof Error)) return null;
  if (TOLD_AS_THEY_ARE.some((kind) => error instanceof kind) || isListenError(error)) return error.message;
  const code = 'code' in error ? String(error.code) : '';
  if (isDamage(error))
    return `The database in ${dataDir} is damaged (${code}): restore a backup, or look at it with doctor.`;
  if (storageFailure(error) === 'insufficient_storage') return `There is no room left for the data folder ${dataDir}.`;
  if (REFUSALS.has(code) || /^SQLITE_(?:READONLY|CANTOPEN)/.test(code)) {
    return `The data folder ${dataDir} cannot be written (${code}): it has to be a folder of this account.`;
  }
  return null;
}

const isListenError = (error: Error) => 'syscall' in error && error.syscall === 'listen';

/** Sessions, rate limits and backups need a correct clock. @param now milliseconds */
export function clockProblem(now: number): string | null {
  if (now >= Date.parse(RELEASED)) return null;
  return `The clock of this machine says ${new Date(now).toISOString()}, which is before this version was made (${RELEASED}): set it.`;
}
