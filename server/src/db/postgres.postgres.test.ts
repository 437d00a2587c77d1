import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectTo } from '../testing/postgres-client.ts';
import { freshDatabase } from '../testing/test-database.ts';
import type { TestDatabase } from '../testing/test-database.ts';
import { joinActs } from './act-locks.ts';
import { openBulkWriter } from './bulk-writer.ts';
import { openDatabase, openToRead } from './database.ts';
import type { Database, Transact } from './database.ts';
import { brokenUniqueness, storageFailure } from './failures.ts';
import { openSnapshot } from './snapshot.ts';
import { MIGRATIONS } from './migrations/index.ts';

let database: TestDatabase;
let dataDir: string;
const opened: Database[] = [];

beforeEach(async () => {
  database = await freshDatabase();
  dataDir = mkdtempSync(join(tmpdir(), 'passwordbroker-'));
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((db) => db.close()));
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function openHere(
  migrations?: typeof MIGRATIONS,
  url = database.environment['DATABASE_URL'] ?? '',
): Promise<Database> {
  const options = { dataDir, databaseUrl: url, now: 1, ...(migrations === undefined ? {} : { migrations }) };
  const db = await openDatabase(options);
  opened.push(db);
  return db;
}

const setting = (name: string, value = 'x') => ({ name, value, updated_at: 1 });
const insertThrough = (db: Pick<Transact, 'insertInto'>, name: string) =>
  db.insertInto('site_settings').values(setting(name)).execute();
const insert = (tx: Transact, name: string) => insertThrough(tx, name);
const names = async (db: Pick<Database, 'read'>) =>
  (await db.read.selectFrom('site_settings').select('name').orderBy('name').execute()).map(({ name }) => name);
const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(() => null).catch((error: unknown) => error);

test('numbers, flags and bytes come as the embedded engine gives them', async () => {
  const db = await openHere();
  await db.transact((tx) =>
    tx
      .insertInto('leases')
      .values({ name: 'a', owner: null, heartbeat: 2 ** 52, due_at: 0 })
      .execute(),
  );
  const row = await db.read
    .selectFrom('leases')
    .select(['heartbeat', (eb) => eb.fn.countAll<number>().over().as('n')])
    .select((eb) => [
      eb.fn.sum<number>('heartbeat').over().as('sum'),
      sql<number>`1 = 1`.as('flag'),
      sql<Buffer>`'\\x00ff'::bytea`.as('bytes'),
    ])
    .executeTakeFirstOrThrow();
  expect(row).toEqual({ heartbeat: 2 ** 52, n: 1, sum: 2 ** 52, flag: 1, bytes: Buffer.from([0, 255]) });
});

test('texts are in the order of their code points, whatever the server was set up for', async () => {
  const db = await openHere();
  await db.transact(async (tx) => {
    for (const name of ['b', 'B', 'a-c', 'ab', 'é', '_', 'Z']) await insert(tx, name);
  });
  expect(await names(db)).toEqual(['B', 'Z', '_', 'a-c', 'ab', 'b', 'é']);
});

test('an act that fails leaves nothing, and nobody sees half of one', async () => {
  const db = await openHere();
  const failing = db.transact(async (tx) => {
    await insert(tx, 'a');
    expect(await names(db)).toEqual([]);
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await names(db)).toEqual([]);
});

test('acts are alone in all processes; those that say so run beside others of their kind', async () => {
  const [one, two] = [await openHere(), await openHere()];
  const order: string[] = [];
  const slow = (name: string) => async (tx: Transact) => {
    order.push(`${name} begins`);
    await insert(tx, name);
    await wait(60);
    order.push(`${name} ends`);
  };
  await Promise.all([one.transact(slow('a')), two.transact(slow('b'))]);
  expect(order).toHaveLength(4);
  expect(order[0]?.[0]).toBe(order[1]?.[0]);
  order.length = 0;
  await Promise.all([one.transactBeside(slow('c')), two.transactBeside(slow('d'))]);
  expect(order.slice(0, 2).sort()).toEqual(['c begins', 'd begins']);
  order.length = 0;
  const beside = one.transactBeside(slow('e'));
  await expect.poll(() => order.length, { timeout: 20_000 }).toBe(1);
  await Promise.all([beside, two.transact(slow('f'))]);
  expect(order).toEqual(['e begins', 'e ends', 'f begins', 'f ends']);
});

test('who is overtaken is judged anew, alone', async () => {
  const db = await openHere();
  let judged = 0;
  const create = () =>
    db.transactBeside(async (tx) => {
      judged += 1;
      const there = await tx.selectFrom('site_settings').select('name').where('name', '=', 'one').executeTakeFirst();
      if (there !== undefined) return 'there';
      await wait(40);
      await insert(tx, 'one');
      return 'made';
    });
  expect((await Promise.all([create(), create(), create()])).sort()).toEqual(['made', 'there', 'there']);
  expect(judged).toBe(5);
});

test('acts that cross each other are done again', async () => {
  const db = await openHere();
  await db.transact(async (tx) => void (await insert(tx, 'a'), await insert(tx, 'b')));
  const touch = (tx: Transact, name: string) =>
    tx.updateTable('site_settings').set({ value: 'y' }).where('name', '=', name).execute();
  const both = (first: string, second: string) =>
    db.note(async (tx) => {
      await touch(tx, first);
      await wait(50);
      await touch(tx, second);
    });
  await expect(Promise.all([both('a', 'b'), both('b', 'a')])).resolves.toHaveLength(2);
});

test('a long writer acts beside the others and judges at its end', async () => {
  const db = await openHere();
  const writer = await openBulkWriter(db.path);
  try {
    await writer.transact(async (tx, insertRows) => {
      await insertRows('site_settings', [setting('long', 'quote " \\ line\nbreak'), setting('long 2')]);
      await db.transact((other) => insert(other, 'meanwhile'));
      await joinActs(tx);
      expect(await tx.selectFrom('site_settings').select('name').execute()).toHaveLength(3);
    });
  } finally {
    await writer.close();
  }
  expect(await names(db)).toEqual(['long', 'long 2', 'meanwhile']);
  expect(
    (await db.read.selectFrom('site_settings').selectAll().where('name', '=', 'long').executeTakeFirst())?.value,
  ).toBe('quote " \\ line\nbreak');
});

test('a snapshot stays as it was', async () => {
  const db = await openHere();
  const snapshot = await openSnapshot(db);
  await db.transact((other) => insert(other, 'later'));
  expect(await names(snapshot)).toEqual([]);
  await expect(insertThrough(snapshot.read, 'never')).rejects.toMatchObject({ code: '25006' });
  await snapshot.close();
  expect(await names(db)).toEqual(['later']);
});

test('errors are told in words that do not depend on the engine', async () => {
  const db = await openHere();
  const twice = await failureOf(db.transact(async (tx) => void (await insert(tx, 'a'), await insert(tx, 'a'))));
  expect(brokenUniqueness(twice)).toBe('site_settings.name');
  expect(storageFailure(twice)).toBeNull();
  const nonce = { session_id: 's', nonce: 'n', seen_at: 1 };
  const orphan = await failureOf(db.transact((tx) => tx.insertInto('proof_nonces').values(nonce).execute()));
  expect(orphan).toMatchObject({ code: '23503' });
  expect(brokenUniqueness(orphan)).toBeNull();
});

test('a connection that is cut costs one act, and is replaced', async () => {
  const db = await openHere();
  const cut = db.transact(async (tx) => {
    await insert(tx, 'lost');
    await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx);
  });
  expect(storageFailure(await failureOf(cut))).toBe('unavailable');
  const admin = await openHere();
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`.execute(
    admin.read,
  );
  const after = await failureOf(db.transact((tx) => insert(tx, 'a')));
  if (after !== null) expect(storageFailure(after)).toBe('unavailable');
  await expect.poll(() => failureOf(db.transact((tx) => insert(tx, 'b'))), { timeout: 20_000 }).toBeNull();
  expect(await names(db)).not.toContain('lost');
});

test('whoever waits too long for the others is sent away', async () => {
  const [one, two] = [await openHere(), await openHere()];
  let finish: (() => void) | undefined;
  const holding = one.exclusive(() => new Promise<void>((resolve) => (finish = resolve)));
  await expect.poll(() => finish, { timeout: 20_000 }).toBeDefined();
  const started = performance.now();
  expect(storageFailure(await failureOf(two.transact((tx) => insert(tx, 'a'))))).toBe('unavailable');
  expect(performance.now() - started).toBeGreaterThan(2500);
  finish?.();
  await holding;
  await two.transact((tx) => insert(tx, 'b'));
  expect(await names(one)).toEqual(['b']);
}, 20_000);

test('nobody answers: one sentence, without the address', async () => {
  const away = 'postgres://vault:secret@127.0.0.1:9/vault';
  await expect(openHere(undefined, away)).rejects.toThrow('The database server does not answer.');
  await expect(
    openHere(undefined, (database.environment['DATABASE_URL'] ?? '').replace(/t_\w+/, 'absent')),
  ).rejects.toThrow('The database does not exist on the server.');
});

test('several processes migrate at once; a newer schema and a strange past are refused', async () => {
  const empty = await freshDatabase('template0');
  const url = empty.environment['DATABASE_URL'] ?? '';
  try {
    const [db] = await Promise.all([openHere(MIGRATIONS, url), openHere(MIGRATIONS, url), openHere(MIGRATIONS, url)]);
    const applied = sql<{ name: string }>`select name from schema_migrations order by name`;
    const { rows } = await applied.execute(db.read);
    expect(rows.map(({ name }) => name)).toEqual(MIGRATIONS.map(({ name }) => name));
    await expect(openHere(MIGRATIONS.slice(0, -1), url)).rejects.toThrow('newer version of the program');
    const reader = await openToRead({ dataDir, databaseUrl: url });
    expect(await names(reader)).toEqual([]);
    await reader.close();
    await Promise.all(opened.splice(0).map((db) => db.close()));
  } finally {
    await empty.drop();
  }
});

test('a migration that fails leaves nothing of itself', async () => {
  const empty = await freshDatabase('template0');
  const url = empty.environment['DATABASE_URL'] ?? '';
  try {
    const broken = { name: '9999-broken', both: ['create table half (x INT)', 'create table half (x INT)'] };
    await expect(openHere([...MIGRATIONS, broken], url)).rejects.toThrow('already exists');
    const db = await openHere(MIGRATIONS, url);
    expect((await sql`select 1 from pg_tables where tablename = 'half'`.execute(db.read)).rows).toEqual([]);
    await Promise.all(opened.splice(0).map((one) => one.close()));
  } finally {
    await empty.drop();
  }
});

test('rows of the audit log can be neither changed nor deleted, nor the log emptied', async () => {
  const db = await openHere();
  for (const statement of ["update audit_log set login = 'x'", 'delete from audit_log', 'truncate audit_log cascade']) {
    await db.transact((tx) =>
      sql`insert into audit_log (audit_id, created_at, event_type) values (${crypto.randomUUID()}, 1, 'login')`.execute(
        tx,
      ),
    );
    await expect(db.transact((tx) => sql.raw(statement).execute(tx))).rejects.toThrow('append-only');
  }
});

test('search has its index of letters', async () => {
  const db = await openHere();
  const options = async (of: Database) =>
    (await sql`select reloptions from pg_class where relname = 'entry_search_trigrams'`.execute(of.read)).rows;
  const bounded = [{ reloptions: ['gin_pending_list_limit=256'] }];
  expect(await options(db)).toEqual(bounded);
  // One that was made before it was bounded.
  await db.transact((tx) => sql`alter index entry_search_trigrams reset (gin_pending_list_limit)`.execute(tx));
  expect(await options(db)).toEqual([{ reloptions: null }]);
  expect(await options(await openHere())).toEqual(bounded);
  // One that somebody reads for long stays as it is, and nobody waits for it.
  await db.transact((tx) => sql`alter index entry_search_trigrams reset (gin_pending_list_limit)`.execute(tx));
  const reader = await connectTo(database.environment['DATABASE_URL'] ?? '');
  await reader.query('begin');
  await reader.query("select count(*) from entry_search where title_folded like '%abc%'");
  expect(await options(await openHere())).toEqual([{ reloptions: null }]);
  await reader.query('commit');
  await reader.end();
  expect(await options(await openHere())).toEqual(bounded);
});

test('the schema may have any name', async () => {
  const client = await connectTo(database.environment['DATABASE_URL'] ?? '');
  await client.query('drop schema public cascade');
  await client.query('create schema "Our.Vault"');
  const { rows } = await client.query<{ name: string }>('select current_database() as name');
  await client.query(`alter database "${rows[0]?.name}" set search_path = "Our.Vault"`);
  await client.end();
  for (let start = 0; start < 2; start += 1) {
    const db = await openHere();
    const indexes = sql`select schemaname from pg_indexes where indexname = 'entry_search_trigrams'`;
    expect((await indexes.execute(db.read)).rows).toEqual([{ schemaname: 'Our.Vault' }]);
  }
});

test('every foreign key has an index', async () => {
  const db = await openHere();
  const { rows } = await sql<{ place: string }>`select c.conrelid::regclass || '.' || a.attname as place
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and not exists (
      select 1 from pg_index i where i.indrelid = c.conrelid and i.indkey[0] = c.conkey[1])`.execute(db.read);
  expect(rows).toEqual([]);
});

test('the probe writes, and leaves nothing', async () => {
  const db = await openHere();
  await db.probe();
  expect(await db.read.selectFrom('leases').selectAll().execute()).toEqual([]);
});

test('nothing is in a list without members', async () => {
  const db = await openHere();
  await db.transact((tx) => insert(tx, 'a'));
  const found = (isIn: 'in' | 'not in') =>
    db.read.selectFrom('site_settings').select('name').where('name', isIn, []).execute();
  expect([(await found('in')).length, (await found('not in')).length]).toEqual([0, 1]);
});
