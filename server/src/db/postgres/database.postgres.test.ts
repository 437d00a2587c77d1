import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { connectTo } from '../../testing/postgres-client.ts';
import { freshDatabase } from '../../testing/test-database.ts';
import type { TestDatabase } from '../../testing/test-database.ts';
import { insertPlace } from '../../testing/test-place.ts';
import { lockVaultShared, lockEntry } from '../locks.ts';
import { openBulkWriter } from '../bulk/writer.ts';
import { openDatabase, openToRead } from '../open.ts';
import type { Database, Transact } from '../database.ts';
import { brokenUniqueness, storageFailure } from '../failures.ts';
import { prepared } from '../prepared.ts';
import { openSnapshot } from '../snapshot/snapshot.ts';
import { MIGRATIONS } from '../schema/migrations/index.ts';

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

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);
const setting = (name: string, value = 'x') => ({ name, value, updated_at: 1 });
const insertThrough = (db: Pick<Transact, 'insertInto'>, name: string) =>
  db.insertInto('site_settings').values(setting(name)).execute();
const insert = (tx: Transact, name: string) => insertThrough(tx, name);
const names = async (db: Pick<Database, 'read'>) =>
  (await db.read.selectFrom('site_settings').select('name').orderBy('name').execute()).map(({ name }) => name);
const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(() => null).catch((error: unknown) => error);

test('numbers, booleans and bytes have the same types as on SQLite', async () => {
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

test('texts sort by code points, whatever the locale of the server', async () => {
  const db = await openHere();
  await db.transact(async (tx) => {
    for (const name of ['b', 'B', 'a-c', 'ab', 'é', '_', 'Z']) await insert(tx, name);
  });
  expect(await names(db)).toEqual(['B', 'Z', '_', 'a-c', 'ab', 'b', 'é']);
});

test('a failed transaction leaves nothing, and no other connection reads a part of it', async () => {
  const db = await openHere();
  const failing = db.transact(async (tx) => {
    await insert(tx, 'a');
    expect(await names(db)).toEqual([]);
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await names(db)).toEqual([]);
});

test('transact excludes transactions of all processes; transactBeside runs beside others', async () => {
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

test('a transaction with a unique violation runs again with the exclusive lock', async () => {
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

test('a transaction runs again after a deadlock', async () => {
  const db = await openHere();
  await db.transact(async (tx) => void (await insert(tx, 'a'), await insert(tx, 'b')));
  const touch = (tx: Transact, name: string) =>
    tx.updateTable('site_settings').set({ value: 'y' }).where('name', '=', name).execute();
  const both = (first: string, second: string) =>
    db.transactBeside(async (tx) => {
      await touch(tx, first);
      await wait(50);
      await touch(tx, second);
    });
  await expect(Promise.all([both('a', 'b'), both('b', 'a')])).resolves.toHaveLength(2);
});

test('a bulk writer runs beside others and takes the vault lock at its end', async () => {
  const db = await openHere();
  const writer = await openBulkWriter(db.path);
  try {
    await writer.transact(async (tx, insertRows) => {
      await insertRows('site_settings', [setting('long', 'quote " \\ line\nbreak'), setting('long 2')]);
      await db.transact((other) => insert(other, 'meanwhile'));
      await lockVaultShared(tx);
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

test('a snapshot does not change and is read-only', async () => {
  const db = await openHere();
  const snapshot = await openSnapshot(db);
  await db.transact((other) => insert(other, 'later'));
  expect(await names(snapshot)).toEqual([]);
  await expect(insertThrough(snapshot.read, 'never')).rejects.toMatchObject({ code: '25006' });
  await snapshot.close();
  expect(await names(db)).toEqual(['later']);
});

test('errors have the same meaning as on SQLite', async () => {
  const db = await openHere();
  const twice = await failureOf(db.transact(async (tx) => void (await insert(tx, 'a'), await insert(tx, 'a'))));
  expect(brokenUniqueness(twice)).toBe('site_settings.name');
  expect(storageFailure(twice)).toBeNull();
  const lost = { user_id: 'nobody', name: 'n', n: 1, blob: Buffer.alloc(1) };
  const orphan = await failureOf(db.transact((tx) => tx.insertInto('user_documents').values(lost).execute()));
  expect(orphan).toMatchObject({ code: '23503' });
  expect(brokenUniqueness(orphan)).toBeNull();
});

test('a lost connection fails one transaction and is replaced', async () => {
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

test('a transaction that waits too long for the vault lock fails', async () => {
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

test('an unreachable server is reported in one sentence, without the address', async () => {
  const away = 'postgres://vault:secret@127.0.0.1:9/vault';
  await expect(openHere(undefined, away)).rejects.toThrow('The database server does not answer.');
  await expect(
    openHere(undefined, (database.environment['DATABASE_URL'] ?? '').replace(/t_\w+/, 'absent')),
  ).rejects.toThrow('The database does not exist on the server.');
});

test('several processes can migrate at once; a newer schema is refused', async () => {
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

test('a failed migration leaves nothing', async () => {
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

test('rows of the audit log cannot be changed, deleted or truncated', async () => {
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

test('the trigram index of search has a bounded pending list', async () => {
  const db = await openHere();
  const options = async (of: Database) =>
    (await sql`select reloptions from pg_class where relname = 'entry_search_trigrams'`.execute(of.read)).rows;
  const bounded = [{ reloptions: ['gin_pending_list_limit=256'] }];
  expect(await options(db)).toEqual(bounded);
  // An index from before the limit.
  await db.transact((tx) => sql`alter index entry_search_trigrams reset (gin_pending_list_limit)`.execute(tx));
  expect(await options(db)).toEqual([{ reloptions: null }]);
  expect(await options(await openHere())).toEqual(bounded);
  // An index in use stays as it is, and the start does not wait for it.
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

test('the probe writes and rolls back', async () => {
  const db = await openHere();
  await db.probe();
  expect(await db.read.selectFrom('leases').selectAll().execute()).toEqual([]);
});

test('an empty list contains nothing', async () => {
  const db = await openHere();
  await db.transact((tx) => insert(tx, 'a'));
  const found = (isIn: 'in' | 'not in') =>
    db.read.selectFrom('site_settings').select('name').where('name', isIn, []).execute();
  expect([(await found('in')).length, (await found('not in')).length]).toEqual([0, 1]);
});

test('a transaction with a failed statement is never reported as committed', async () => {
  const db = await openHere();
  const ignoring = db.transact(async (tx) => {
    await insert(tx, 'ignored');
    await insert(tx, 'ignored').catch(() => []);
  });
  expect(storageFailure(await failureOf(ignoring))).toBe('unavailable');
  expect(await names(db)).toEqual([]);
});

test('a transaction beside others waits for the exclusive one before it reads', async () => {
  const [one, two] = [await openHere(), await openHere()];
  let letGo = () => {};
  const held = new Promise<void>((resolve) => (letGo = resolve));
  let alone = Promise.resolve();
  await new Promise<void>((begun) => {
    alone = one.transact(async (tx) => {
      await insert(tx, 'first');
      begun();
      await held;
    });
  });
  const reading = two.transactBeside((tx) => names({ read: tx }));
  const waiting = sql`select 1 from pg_locks where not granted and locktype = 'advisory'
    and database = (select oid from pg_database where datname = current_database())`;
  await expect.poll(async () => (await waiting.execute(one.read)).rows.length, { timeout: 20_000 }).toBe(1);
  letGo();
  await alone;
  expect(await reading).toEqual(['first']);
});

test('transactions that lock the same entry run one after the other, also in several processes', async () => {
  const [one, two] = [await openHere(), await openHere()];
  const { e } = await insertPlace({ db: one, clock: { now: () => 1 } }, {});
  await one.transact((tx) => insert(tx, 'counted'));
  const count = async (tx: Transact) => {
    await lockEntry(tx, e);
    const row = tx.selectFrom('site_settings').select('updated_at').where('name', '=', 'counted');
    const { updated_at } = await row.executeTakeFirstOrThrow();
    const next = { updated_at: updated_at + 1 };
    await tx.updateTable('site_settings').set(next).where('name', '=', 'counted').execute();
    return updated_at;
  };
  const counts = await Promise.all(numbers(20).map((at) => (at % 2 === 0 ? one : two).transactBeside(count)));
  expect(counts.toSorted((a, b) => a - b)).toEqual(numbers(20).map((at) => at + 1));
});

test('a server that stops responding causes 503 within fifteen seconds', async () => {
  const db = await openHere();
  const beside = await connectTo(database.environment['DATABASE_URL'] ?? '');
  const all = (works: readonly string[]) =>
    Promise.all(works.map((name) => failureOf(db.transactBeside((tx) => insert(tx, name)))));
  await all(['a', 'b']);
  const { rows } = await beside.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and application_name = 'passwordbroker'`,
  );
  // Stops the server processes, as if the network were cut; new connections still work.
  for (const { pid } of rows) process.kill(pid, 'SIGSTOP');
  try {
    const begun = performance.now();
    expect((await all(['c', 'd'])).map(storageFailure)).toEqual(['unavailable', 'unavailable']);
    expect(performance.now() - begun).toBeLessThan(15_000);
    // The old connections are not used again.
    expect(await all(['e'])).toEqual([null]);
    expect(performance.now() - begun).toBeLessThan(15_000);
  } finally {
    for (const { pid } of rows) process.kill(pid, 'SIGCONT');
    await beside.end();
  }
  expect(await names(db)).toEqual(['a', 'b', 'e']);
}, 30_000);

test('the server itself ends long statements, waits for locks and idle transactions', async () => {
  const db = await openHere();
  const limits = sql<{ name: string; ms: number }>`select name, setting::bigint as ms from pg_settings
    where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout') order by name`;
  const expected = [
    { name: 'idle_in_transaction_session_timeout', ms: 15_000 },
    { name: 'lock_timeout', ms: 3000 },
    { name: 'statement_timeout', ms: 10_000 },
  ];
  expect((await limits.execute(db.read)).rows).toEqual(expected);
  expect((await db.transactBeside((tx) => limits.execute(tx))).rows).toEqual(expected);
  const slow = db.transactBeside(async (tx) => {
    await insert(tx, 'slow');
    await sql`set local statement_timeout = 50`.execute(tx);
    await sql`select pg_sleep(5)`.execute(tx);
  });
  const idle = db.transactBeside(async (tx) => {
    await insert(tx, 'idle');
    await sql`set local idle_in_transaction_session_timeout = 50`.execute(tx);
    await wait(500);
    await insert(tx, 'idle 2');
  });
  const failures = await Promise.all([failureOf(slow), failureOf(idle)]);
  expect(failures.map(storageFailure)).toEqual(['unavailable', 'unavailable']);
  expect(await names(db)).toEqual([]);
  await db.transactBeside((tx) => insert(tx, 'after'));
});

test('when all connections are in use, a call waits four seconds and fails', async () => {
  const url = (database.environment['DATABASE_URL'] ?? '').replace(/connections=\d+/, 'connections=2');
  const db = await openHere(undefined, url);
  let finish = () => {};
  const held = new Promise<void>((resolve) => (finish = resolve));
  const holding = db.transactBeside(() => held);
  onTestFinished(() => finish());
  const started = performance.now();
  expect(storageFailure(await failureOf(db.transactBeside((tx) => insert(tx, 'a'))))).toBe('unavailable');
  expect(performance.now() - started).toBeGreaterThan(3500);
  finish();
  await holding;
  await db.transactBeside((tx) => insert(tx, 'b'));
  expect(await names(db)).toEqual(['b']);
}, 20_000);

test('a table that gets another column is read as it is now, also in a transaction', async () => {
  const db = await openHere();
  const setting = prepared((of) => of.selectFrom('leases').selectAll().where('name', '=', 'a'));
  await db.transact((tx) =>
    tx.insertInto('leases').values({ name: 'a', owner: null, heartbeat: 0, due_at: 0 }).execute(),
  );
  // On several connections.
  const all = () =>
    Promise.all(
      numbers(12).map((at) => (at < 6 ? setting.first(db.read, {}) : db.transactBeside((tx) => setting.first(tx, {})))),
    );
  const before = await all();
  await db.transact((tx) => sql`alter table leases add column colour text`.execute(tx));
  expect(await all()).toEqual(before.map((row) => ({ ...row, colour: null })));
});

test('works behind a pooler that forgets prepared statements', async () => {
  const db = await openHere();
  await db.transact((tx) => insert(tx, 'a'));
  const named = prepared((of) => of.selectFrom('site_settings').select('name'));
  const deallocate = sql`deallocate all`;
  expect(await named.all(db.read, {})).toEqual([{ name: 'a' }]);
  await deallocate.execute(db.read);
  expect(await named.all(db.read, {})).toEqual([{ name: 'a' }]);
  let attempts = 0;
  const repeated = await db.transact(async (tx) => {
    attempts += 1;
    const rows = await named.all(tx, {});
    if (attempts > 1) return rows;
    await deallocate.execute(tx);
    return named.all(tx, {});
  });
  expect([attempts, repeated]).toEqual([2, [{ name: 'a' }]]);
});

test('lists and bytes arrive as they are', async () => {
  const db = await openHere();
  const texts = ['a', 'b "quoted" \\ {x,y}', '', 'NULL', 'ä\n'];
  const bytes = Buffer.from([0, 1, 254, 255]);
  const { rows } = await sql`
    select ${texts}::text[] as texts, ${bytes}::bytea as bytes, ${new Uint8Array(bytes)}::bytea as view, ${null}::text as nothing,
    ${[bytes, null]}::bytea[] as lists`.execute(db.read);
  expect(rows).toEqual([{ texts, bytes, view: bytes, nothing: null, lists: [bytes, null] }]);
});
