import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Database as Connection } from 'better-sqlite3';
import { hasRoom } from '../../platform/storage/space.ts';
import { UPGRADE_FOLDER } from '../data-folder.ts';
import type { Migration } from '../schema/migrate.ts';
import { SchemaError } from '../schema/migrate.ts';
import { BetterSqlite } from './connections.ts';

interface Upgrade {
  readonly dataDir: string;
  /** The only open connection, outside transactions. */
  readonly connection: Connection;
  readonly migrations: readonly Migration[];
  readonly applied: number;
}

/**
 * Copies the database before an upgrade; returns the path of the verified copy, or that of an interrupted
 * attempt.
 * @throws SchemaError without changes if the disk is full or the copy differs
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

/** Removes the copies of finished upgrades, except `kept`. */
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
    'The copy that was made before the upgrade differs from the database: check disk and memory. Nothing was changed.',
  );
}

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

function flush(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
