/** A recovery in a process of its own that is killed at a chosen moment, and what is found afterwards. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { BACKED_UP } from '../../backups/archive/tables.ts';
import { ARCHIVE_PASSWORD } from '../../backups/testing/archive.ts';
import { runCommandLine } from '../../commands/run.ts';
import { openDatabase } from '../../db/open.ts';
import { BetterSqlite } from '../../db/sqlite/connections.ts';

const CLI = fileURLToPath(new URL('../../app/cli.ts', import.meta.url));

const FILE = 'passwordbroker.sqlite';
const sizeOf = (path: string) => (existsSync(path) ? statSync(path).size : 0);
const filesIn = (path: string) => (existsSync(path) ? readdirSync(path) : []);

/** What can be seen of a recovery from outside, in its data folder. */
export class Sight {
  readonly dataDir: string;
  #logBefore = 0;
  #hasRestored = false;

  constructor(dataDir: string) {
    this.dataDir = dataDir;
  }

  /** Names below the folder into which it restores, as long as that is there. */
  restored(...path: readonly string[]): readonly string[] {
    return filesIn(join(this.#scratch(), ...path));
  }

  /** Bytes of rows on their way into the restored database: its schema is in the file itself before the first row comes. */
  loaded(): number {
    const path = join(this.#scratch(), FILE);
    return sizeOf(path) > SCHEMA_BYTES ? sizeOf(`${path}-wal`) : 0;
  }

  /** Files that belong to the installation. */
  takenOver(): number {
    return filesIn(join(this.dataDir, 'bodies')).length;
  }

  /** Bytes that its write-ahead log has grown by since something is restored: before that its own schema was written. */
  switched(): number {
    const size = sizeOf(join(this.dataDir, `${FILE}-wal`));
    if (!this.#hasRestored) {
      this.#hasRestored = this.restored().length > 0;
      this.#logBefore = size;
    }
    return this.#hasRestored ? size - this.#logBefore : 0;
  }

  /** Whether somebody has an account: all is committed. */
  isOver(): boolean {
    if (this.switched() === 0) return false;
    const db = new BetterSqlite(join(this.dataDir, FILE), { readonly: true });
    try {
      return db.prepare('select 1 from users').get() !== undefined;
    } finally {
      db.close();
    }
  }

  #scratch(): string {
    const [work = ''] = filesIn(join(this.dataDir, 'backup-work'));
    return join(this.dataDir, 'backup-work', work, 'restored');
  }
}

/** Less than the file of a database has that was only migrated, more than one whose schema is still in its log. */
const SCHEMA_BYTES = 100_000;

export type Moment = (sight: Sight) => boolean | Promise<boolean>;

/** What must be left by whoever is killed in a step. */
interface Step {
  readonly isReached: Moment;
  readonly leaves: 'nothing' | 'everything' | 'either';
}

/** What can be seen from outside when a step has begun. */
export const STEPS = {
  'the scratch database is made': { isReached: (sight) => sight.restored().includes(FILE), leaves: 'nothing' },
  'rows are being loaded': { isReached: (sight) => sight.loaded() > 0, leaves: 'nothing' },
  'files are being written': { isReached: (sight) => sight.restored('bodies').length > 3, leaves: 'nothing' },
  'files are taken over': { isReached: (sight) => sight.takenOver() > 3, leaves: 'either' },
  'the switch has begun': { isReached: (sight) => sight.switched() > 0, leaves: 'either' },
  'the switch is nearly over': { isReached: (sight) => sight.switched() > 2_000_000, leaves: 'either' },
  'the switch is over': { isReached: (sight) => sight.isOver(), leaves: 'everything' },
} as const satisfies Readonly<Record<string, Step>>;
export type StepName = keyof typeof STEPS;
export const STEP_NAMES = Object.keys(STEPS) as readonly StepName[];

export interface Aftermath {
  readonly rows: number;
  readonly users: number;
  /** Exit code of the doctor, who reads everything. */
  readonly doctor: number;
  /** Whether its moment was seen while it ran. */
  readonly wasReached: boolean;
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
  const sight = new Sight(dataDir);
  let wasReached = false;
  while (child.exitCode === null) {
    // Also for moments that do not ask: it remembers what was there before.
    sight.switched();
    wasReached = await moment(sight);
    if (wasReached) break;
    await pause(1);
  }
  if (after > 0) await pause(after);
  child.kill('SIGKILL');
  const wasKilled = await ended;
  return { dataDir, wasReached, wasKilled, ...(await lookAt(dataDir, environment)) };
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
): Promise<Omit<Aftermath, 'wasReached' | 'wasKilled'>> {
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
