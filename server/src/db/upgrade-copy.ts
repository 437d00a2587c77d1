/** Copies of the embedded database from before an upgrade: verified before the first migration runs, kept until the next start succeeds. */
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Database as Connection } from 'better-sqlite3';
import { hasRoom } from '../platform/free-space.ts';
import { UPGRADE_FOLDER } from './data-folder.ts';
import type { Migration } from './migrate.ts';
import { SchemaError } from './migrate.ts';
import { BetterSqlite } from './sqlite-engine.ts';

interface Upgrade {
  readonly dataDir: string;
  /** The writer, outside of any transaction; nobody else has the database. */
  readonly connection: Connection;
  readonly migrations: readonly Migration[];
  /** How many of them have run; there are more. */
  readonly applied: number;
}

/**
 * Answers the path of a verified copy from before this upgrade: a new one, or the one that an interrupted attempt at the same upgrade has made.
 * @throws SchemaError without room for it, or when what was copied is not what is there; then nothing has been changed
 */
export async function copyBeforeUpgrade({ dataDir, connection, migrations, applied }: Upgrade): Promise<string> {
  const folder = join(dataDir, UPGRADE_FOLDER);
  const names = migrations.map(({ name }) => name);
  const target = names.at(-1) ?? '';
  const begun = names.slice(0, applied - 1).map((from) => join(folder, nameOf(from, target)));
  const former = begun.find((path) => existsSync(path));
  if (former !== undefined) return former;
  await demandRoomFor(connection, dataDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, nameOf(names[applied - 1] ?? '', target));
  const part = `${path}.part`;
  rmSync(part, { force: true });
  try {
    connection.prepare('vacuum into ?').run(part);
    verify(connection, part);
    flush(part);
    renameSync(part, path);
    flush(folder);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
  return path;
}

/** Removes the copies of upgrades that are over; `kept` is that of the upgrade of this very start. */
export function removeUpgradeCopies(dataDir: string, kept: string | null): void {
  const folder = join(dataDir, UPGRADE_FOLDER);
  if (!existsSync(folder)) return;
  if (kept === null) return rmSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) if (name !== basename(kept)) rmSync(join(folder, name), { recursive: true });
}

const nameOf = (from: string, target: string) => `${from}-to-${target}.sqlite`;

async function demandRoomFor(connection: Connection, dataDir: string): Promise<void> {
  const read = (name: string) => connection.pragma(name, { simple: true }) as number;
  const bytes = (read('page_count') - read('freelist_count')) * read('page_size');
  if (await hasRoom(dataDir, { bytes, files: 1 })) return;
  const megabytes = Math.ceil(bytes / 1_000_000);
  throw new SchemaError(
    `The upgrade first copies the database (${megabytes} MB), and ${dataDir} has no room for that: free some and start again. Nothing was changed.`,
  );
}

function verify(connection: Connection, path: string): void {
  const copy = new BetterSqlite(path, { readonly: true });
  try {
    const found = copy.pragma('integrity_check(1)', { simple: true });
    if (found === 'ok' && countsOf(copy) === countsOf(connection)) return;
  } finally {
    copy.close();
  }
  throw new SchemaError(
    'The copy of the database from before the upgrade is not what was copied: check disk and memory. Nothing was changed.',
  );
}

/** How many rows each table has, as text. */
function countsOf(connection: Connection): string {
  const tables = connection
    .prepare<[], string>(
      `select name from sqlite_master where type = 'table' and sql not like 'create virtual%' order by name`,
    )
    .pluck()
    .all();
  const count = (table: string) => connection.prepare(`select count(*) from "${table}"`).pluck().get() as number;
  return JSON.stringify(tables.map((table) => [table, count(table)]));
}

/** Of a file or a folder. */
function flush(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
