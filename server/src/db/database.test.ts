import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase, openToRead } from './open.ts';
import type { Database } from './database.ts';
import { brokenUniqueness, storageFailure } from './failures.ts';
import type { Migration } from './schema/migrate.ts';
import { MIGRATIONS } from './schema/migrations/index.ts';
import { Mutex } from './mutex.ts';
import { BetterSqlite, ENGINE } from './sqlite/connections.ts';

let dataDir: string;
const open: Database[] = [];
beforeEach(() => {
  dataDir = join(mkdtempSync(join(tmpdir(), 'passwordbroker-db-')), 'data');
});
afterEach(async () => {
  for (const db of open.splice(0)) await db.close();
  rmSync(dataDir, { recursive: true, force: true });
});

async function openHere(migrations?: readonly Migration[]): Promise<Database> {
  const db = await openDatabase({ dataDir, now: 1, ...(migrations === undefined ? {} : { migrations }) });
  open.push(db);
  return db;
}
async function closeAll(): Promise<void> {
  for (const db of open.splice(0)) await db.close();
}

const setting = (name: string) => ({ name, value: 'x', updated_at: 1 });
const modeOf = (path: string) => statSync(path).mode & 0o777;

test('folder and files become private', async () => {
  const db = await openHere();
  await db.transact(async (tx) => {
    await tx.insertInto('site_settings').values(setting('a')).execute();
  });
  expect(modeOf(dataDir)).toBe(0o700);
  for (const name of [
    'passwordbroker.sqlite',
    'passwordbroker.sqlite-wal',
    'passwordbroker.sqlite-shm',
    'process.lock',
  ]) {
    expect([name, modeOf(join(dataDir, name))]).toEqual([name, 0o600]);
  }
});

test('all safety settings are on', async () => {
  const db = await openHere();
  const raw = new BetterSqlite(db.path);
  expect(raw.pragma('journal_mode', { simple: true })).toBe('wal');
  raw.close();
  const pragmas = await db.transact(async (tx) => {
    const { sql } = await import('kysely');
    const read = async (name: string) =>
      Object.values((await sql.raw(`pragma ${name}`).execute(tx)).rows[0] as object)[0];
    return Promise.all(['synchronous', 'foreign_keys', 'secure_delete', 'busy_timeout'].map(read));
  });
  expect(pragmas).toEqual([2, 1, 1, 5000]);
});

test('a commit is visible at once and after a restart; a failed transaction leaves nothing', async () => {
  const db = await openHere();
  await db.transact(async (tx) => {
    await tx.insertInto('site_settings').values(setting('kept')).execute();
  });
  const failing = db.transact(async (tx) => {
    await tx.insertInto('site_settings').values(setting('lost')).execute();
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  const names = async (of: Database) =>
    (await of.read.selectFrom('site_settings').select('name').execute()).map((row) => row.name);
  expect(await names(db)).toEqual(['kept']);
  await closeAll();
  expect(await names(await openHere())).toEqual(['kept']);
});

test('the reader cannot write', async () => {
  const db = await openHere();
  await expect(db.read.insertInto('site_settings').values(setting('a')).execute()).rejects.toThrow('readonly');
});

test('transactions do not interleave', async () => {
  const db = await openHere();
  const order: string[] = [];
  const act = (name: string) =>
    db.transact(async (tx) => {
      order.push(`${name} begins`);
      await tx.insertInto('site_settings').values(setting(name)).execute();
      await new Promise((resolve) => setTimeout(resolve, 5));
      order.push(`${name} ends`);
    });
  await Promise.all([act('a'), db.exclusive(async () => void order.push('alone')), act('b')]);
  expect(order).toEqual(['a begins', 'a ends', 'alone', 'b begins', 'b ends']);
});

test('a second process gets an error that the folder is in use', async () => {
  await openHere();
  await expect(openDatabase({ dataDir, now: 1 })).rejects.toThrow(/^Another process is using the data folder/);
  const text = `
    const Database = require(process.argv[2]);
    const lock = new Database(process.argv[1], { timeout: 0 });
    try { lock.exec('begin exclusive'); process.exit(0); } catch (error) { process.exit(error.code === 'SQLITE_BUSY' ? 7 : 8); }`;
  expect(spawnSync(process.execPath, ['-e', text, join(dataDir, 'process.lock'), ENGINE]).status).toBe(7);
  await closeAll();
  await openHere();
});

test('a newer schema is refused with a sentence, and nothing changes (R44)', async () => {
  await openHere([...MIGRATIONS, { name: '9999-future', both: ['create table tomorrow (a INT)'] }]);
  await closeAll();
  await expect(openHere()).rejects.toThrow(
    "The database was made by a newer version of the program (it knows '9999-future').",
  );
});

test('a migration that was changed after it ran is refused', async () => {
  const first: Migration = { name: '0001-a', both: ['create table a (x INT)'] };
  await openHere([first]);
  await closeAll();
  await expect(openHere([{ ...first, both: ['create table a (x INT, y INT)'] }])).rejects.toThrow(
    "The database's migration '0001-a' is not the one that this program knows.",
  );
  await expect(openHere([{ ...first, name: '0001-b' }])).rejects.toThrow("The database's migration '0001-a'");
});

test('a failed migration leaves nothing, and the next start continues from there (R43)', async () => {
  const first: Migration = { name: '0001-a', both: ['create table a (x INT)'] };
  const broken: Migration = { name: '0002-b', both: ['create table b (x INT)', 'create table b (x INT)'] };
  await expect(openHere([first, broken])).rejects.toThrow('already exists');
  const db = await openHere([first, { ...broken, both: ['create table b (x INT)'] }]);
  await closeAll();
  const raw = new BetterSqlite(db.path, { readonly: true });
  expect(raw.prepare('select name from schema_migrations order by name').pluck().all()).toEqual(['0001-a', '0002-b']);
  raw.close();
});

test('a file that is not a database is refused with a sentence', async () => {
  await openHere();
  await closeAll();
  writeFileSync(join(dataDir, 'passwordbroker.sqlite'), 'x'.repeat(8192));
  await expect(openHere()).rejects.toThrow('The database file is damaged or is not a database.');
});

test('rows of the audit log can be neither changed nor deleted', async () => {
  const db = await openHere();
  await db.transact(async (tx) => {
    const nothing = {
      user_id: null,
      login: null,
      target_type: null,
      target_id: null,
      address: null,
      agent_hash: null,
      details: null,
    };
    await tx
      .insertInto('audit_log')
      .values({ audit_id: '1', created_at: 1, event_type: 'login', ...nothing })
      .execute();
  });
  const change = db.transact((tx) => tx.updateTable('audit_log').set({ event_type: 'x' }).execute());
  await expect(change).rejects.toThrow('append-only');
  await expect(db.transact((tx) => tx.deleteFrom('audit_log').execute())).rejects.toThrow('append-only');
});

test('error messages do not depend on the engine', async () => {
  const db = await openHere();
  const twice = db.transact(async (tx) => {
    await tx
      .insertInto('site_settings')
      .values([setting('a'), setting('a')])
      .execute();
  });
  const error = await twice.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(brokenUniqueness(error)).toBe('site_settings.name');
  expect(brokenUniqueness(new Error('other'))).toBeNull();
  for (const code of ['SQLITE_FULL', 'ENOSPC', 'EDQUOT']) {
    expect(storageFailure(Object.assign(new Error(), { code })), code).toBe('insufficient_storage');
  }
  expect(storageFailure(Object.assign(new Error(), { code: 'SQLITE_BUSY' }))).toBe('unavailable');
  expect(storageFailure(error)).toBeNull();
});

test('the probe writes and rolls back', async () => {
  const db = await openHere();
  await db.probe();
  expect(await db.read.selectFrom('site_settings').selectAll().execute()).toEqual([]);
});

test('every foreign key has an index', async () => {
  const db = await openHere();
  const raw = new BetterSqlite(db.path, { readonly: true });
  const missing: string[] = [];
  for (const table of raw
    .prepare("select name from sqlite_schema where type = 'table' and sql is not null")
    .pluck()
    .all() as string[]) {
    const indexes = (raw.pragma(`index_list(${table})`) as { name: string }[]).map(({ name }) =>
      (raw.pragma(`index_info(${name})`) as { name: string }[]).map((column) => column.name),
    );
    const parts = raw.pragma(`foreign_key_list(${table})`) as { id: number; seq: number; from: string }[];
    for (const { id } of parts.filter(({ seq }) => seq === 0)) {
      const columns = parts.filter((part) => part.id === id).map(({ from }) => from);
      const isIndexed = indexes.some((index) => columns.every((column, at) => index[at] === column));
      if (!isIndexed) missing.push(`${table}.${columns.join(', ')}`);
    }
  }
  raw.close();
  expect(missing).toEqual([]);
});

test('the mutex is released after a failure', async () => {
  const mutex = new Mutex();
  await expect(mutex.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(mutex.isBusy).toBe(false);
  expect(await mutex.run(() => Promise.resolve(1))).toBe(1);
});

test('a waiter of the mutex that gives up leaves the order of the others unchanged', async () => {
  const mutex = new Mutex();
  const order: string[] = [];
  let finish = () => {};
  const patience = { ms: 20, end: () => new Error('enough') };
  const first = mutex.run(() => new Promise<void>((resolve) => (finish = resolve)), patience);
  const impatient = mutex.run(async () => void order.push('impatient'), patience);
  const last = mutex.run(async () => void order.push('last'));
  await expect(impatient).rejects.toThrow('enough');
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(order).toEqual([]);
  finish();
  await Promise.all([first, last]);
  expect([order, mutex.isBusy]).toEqual([['last'], false]);
});

test('beside a running server the schema stays as it is, and writers take turns', async () => {
  await expect(openHere(MIGRATIONS.slice(0, 1))).resolves.toBeDefined();
  await expect(openDatabase({ dataDir, now: 1, isSecondProcess: true })).rejects.toThrow('run migrate first');
  await closeAll();
  const server = await openHere();
  await expect(
    openDatabase({ dataDir, now: 1, migrations: MIGRATIONS.slice(0, 1), isSecondProcess: true }),
  ).rejects.toThrow('newer version');
  const other = await openDatabase({ dataDir, now: 1, isSecondProcess: true });
  const write = (db: typeof server, name: string) =>
    db.transact((tx) =>
      tx
        .insertInto('site_settings')
        .values([setting(name)])
        .execute(),
    );
  for (let n = 0; n < 10; n += 1) {
    await write(server, `server ${n}`);
    await write(other, `other ${n}`);
  }
  expect(await server.read.selectFrom('site_settings').select('name').execute()).toHaveLength(20);
  await other.close();
  // The server still holds the lock of the folder.
  await expect(openDatabase({ dataDir, now: 1 })).rejects.toThrow('Another process');
  const reader = await openToRead({ dataDir });
  expect(await reader.read.selectFrom('site_settings').select('name').execute()).toHaveLength(20);
  await reader.close();
});
