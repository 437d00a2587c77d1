/** A recovery in a process of its own that is killed at a chosen moment, and what is found afterwards. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { BACKED_UP } from '../../backups/tables.ts';
import { ARCHIVE_PASSWORD } from '../../backups/testing/archive.ts';
import { runCommandLine } from '../../commands/run.ts';
import { openDatabase } from '../../db/database.ts';

const CLI = fileURLToPath(new URL('../../cli.ts', import.meta.url));

const sizeOf = (path: string) => (existsSync(path) ? statSync(path).size : 0);
const filesIn = (path: string) => (existsSync(path) ? readdirSync(path) : []);
const scratch = (dataDir: string) => {
  const [work = ''] = filesIn(join(dataDir, 'backup-work'));
  return join(dataDir, 'backup-work', work, 'restored');
};

export type Moment = (dataDir: string) => boolean | Promise<boolean>;

/** What can be seen from outside when a step has begun. */
export const MOMENTS: Readonly<Record<string, Moment>> = {
  'the scratch database is made': (dataDir) => existsSync(join(scratch(dataDir), 'passwordbroker.sqlite')),
  'rows are being loaded': (dataDir) => sizeOf(join(scratch(dataDir), 'passwordbroker.sqlite-wal')) > 200_000,
  'files are being written': (dataDir) => filesIn(join(scratch(dataDir), 'bodies')).length > 3,
  'files are taken over': (dataDir) => filesIn(join(dataDir, 'bodies')).length > 3,
  'the switch has begun': (dataDir) => sizeOf(join(dataDir, 'passwordbroker.sqlite-wal')) > 200_000,
  'the switch is nearly over': (dataDir) => sizeOf(join(dataDir, 'passwordbroker.sqlite-wal')) > 2_000_000,
};

export interface Aftermath {
  readonly rows: number;
  readonly users: number;
  /** Exit code of the doctor, who reads everything. */
  readonly doctor: number;
  /** Whether it was killed before it was through. */
  readonly wasKilled: boolean;
}

interface Killing {
  readonly moment: Moment;
  /** Milliseconds that pass from then on. */
  readonly after?: number;
  /** Of the process, beside its data folder: where its database is, when it is not there. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Recovers `archive` into a new folder and kills the process when its moment has come. */
export async function killedRecovery(
  archive: string,
  { moment, after = 0, environment = {} }: Killing,
): Promise<Aftermath & { readonly dataDir: string }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'passwordbroker-killed-'));
  const args = ['--import', 'tsx', CLI, 'backup', 'restore', archive, '--password-stdin'];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...environment, DATA_DIR: dataDir },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  child.stdin.end(`${ARCHIVE_PASSWORD}\n`);
  const ended = new Promise<boolean>((resolve) => child.once('exit', (_code, signal) => resolve(signal === 'SIGKILL')));
  while (child.exitCode === null && !(await moment(dataDir))) await pause(1);
  if (after > 0) await pause(after);
  child.kill('SIGKILL');
  const wasKilled = await ended;
  return { dataDir, wasKilled, ...(await lookAt(dataDir, environment)) };
}

const silent = {
  say: () => {},
  tell: () => {},
  secret: () => Promise.resolve(ARCHIVE_PASSWORD),
  knownSecret: () => Promise.resolve(ARCHIVE_PASSWORD),
};

/** The same folder, recovered once more without being disturbed. */
export const recoveredAgain = (archive: string, dataDir: string, environment = {}): Promise<number> =>
  runCommandLine(['backup', 'restore', archive, '--password-stdin'], { ...environment, DATA_DIR: dataDir }, silent);

/** What is below the folders in which a recovery works. */
export const leftIn = (dataDir: string): readonly string[] =>
  ['backup-work', 'uploads'].flatMap((name) => filesIn(join(dataDir, name)));

/** What is in the folder, or in the database that the environment names. */
export async function lookAt(
  dataDir: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Omit<Aftermath, 'wasKilled'>> {
  const db = await openDatabase({ dataDir, databaseUrl: environment['DATABASE_URL'] ?? null, now: Date.now() });
  let [rows, users] = [0, 0];
  for (const { table } of BACKED_UP) {
    const found = (await db.read.selectFrom(table).selectAll().execute()).length;
    rows += found;
    if (table === 'users') users = found;
  }
  await db.close();
  return { rows, users, doctor: await runCommandLine(['doctor'], { ...environment, DATA_DIR: dataDir }, silent) };
}

export const removeFolder = (path: string) => rm(path, { recursive: true, force: true });
