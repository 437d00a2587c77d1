/** Runs a recovery in its own process, kills it at a chosen moment, and examines what is left. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { BACKED_UP } from '../../backups/archive/tables.ts';
import { ARCHIVE_PASSWORD } from '../../backups/testing/archive.ts';
import { runCommandLine } from '../../commands/run.ts';
import { openDatabase } from '../../db/open.ts';
import { BetterSqlite } from '../../db/sqlite/connections.ts';

const FILE = 'passwordbroker.sqlite';
const sizeOf = (path: string) => (existsSync(path) ? statSync(path).size : 0);
const filesIn = (path: string) => (existsSync(path) ? readdirSync(path) : []);

/** The progress of a recovery as visible in its data folder. */
export class Sight {
  readonly dataDir: string;
  #logBefore = 0;
  #hasRestored = false;

  constructor(dataDir: string) {
    this.dataDir = dataDir;
  }

  /** Names in the folder into which it restores, while that exists. */
  restored(...path: readonly string[]): readonly string[] {
    return filesIn(join(this.#scratch(), ...path));
  }

  /** Bytes of rows being restored; the schema is in the database file before the first row. */
  loaded(): number {
    const path = join(this.#scratch(), FILE);
    return sizeOf(path) > SCHEMA_BYTES ? sizeOf(`${path}-wal`) : 0;
  }

  /** Number of files of the installation. */
  takenOver(): number {
    return filesIn(join(this.dataDir, 'bodies')).length;
  }

  /** Growth of the write-ahead log since the restore began, after the schema was written. */
  switched(): number {
    const size = sizeOf(join(this.dataDir, `${FILE}-wal`));
    if (!this.#hasRestored) {
      this.#hasRestored = this.restored().length > 0;
      this.#logBefore = size;
    }
    return this.#hasRestored ? size - this.#logBefore : 0;
  }

  /** Whether an account exists, which means that all is committed. */
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

/** Smaller than a migrated database file, larger than one whose schema is still in the log. */
const SCHEMA_BYTES = 100_000;

export type Moment = (sight: Sight) => boolean | Promise<boolean>;

/** What must be left after a kill in a step. */
interface Step {
  readonly isReached: Moment;
  readonly leaves: 'nothing' | 'everything' | 'either';
}

/** How the start of a step is recognised from outside. */
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
  /** Exit code of doctor, which reads everything. */
  readonly doctor: number;
  /** Whether the moment was reached during the run. */
  readonly wasReached: boolean;
  /** Whether it was killed before its end. */
  readonly wasKilled: boolean;
}

interface Killing {
  /** Path of the bundled command line (`buildServer`). */
  readonly cli: string;
  readonly moment: Moment;
  /** Milliseconds between the moment and the kill. */
  readonly after?: number;
  /** Environment of the process besides its data folder, e.g. its database. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Recovers `archive` into a new folder and kills the process at the moment. */
export async function killedRecovery(
  archive: string,
  { cli, moment, after = 0, environment = {} }: Killing,
): Promise<Aftermath & { readonly dataDir: string }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'passwordbroker-killed-'));
  const args = [cli, 'backup', 'restore', archive, '--password-stdin'];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...environment, DATA_DIR: dataDir },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  child.stdin.end(`${ARCHIVE_PASSWORD}\n`);
  const ended = new Promise<boolean>((resolve) => child.once('exit', (_code, signal) => resolve(signal === 'SIGKILL')));
  const sight = new Sight(dataDir);
  let wasReached = false;
  while (child.exitCode === null) {
    // Called for every moment, as it remembers the state before the recovery.
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

/** Repeats the recovery in the same folder without killing it. Returns the exit code. */
export const recoveredAgain = (archive: string, dataDir: string, environment = {}): Promise<number> =>
  runCommandLine(['backup', 'restore', archive, '--password-stdin'], { ...environment, DATA_DIR: dataDir }, silent);

/** Files in the folders that a recovery uses. */
export const leftIn = (dataDir: string): readonly string[] =>
  ['backup-work', 'uploads'].flatMap((name) => filesIn(join(dataDir, name)));

/** State of the folder, or of the database that the environment names. */
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
