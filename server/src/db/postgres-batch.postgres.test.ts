/** Statements that go together, and those that the server knows by name, on a real server. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshDatabase } from '../testing/test-database.ts';
import type { TestDatabase } from '../testing/test-database.ts';
import { connectTo } from '../testing/postgres-client.ts';
import type { PostgresClient } from '../testing/postgres-client.ts';
import { openDatabase } from './database.ts';
import type { Database, Transact } from './database.ts';
import { brokenUniqueness, storageFailure } from './failures.ts';
import { prepared } from './prepared.ts';

let dataDir: string;
let database: TestDatabase;
let db: Database;
let beside: PostgresClient;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'passwordbroker-batch-'));
  database = await freshDatabase();
  db = await openDatabase({ dataDir, databaseUrl: database.environment['DATABASE_URL'] ?? '', now: 1 });
  beside = await connectTo(database.environment['DATABASE_URL']);
});
afterAll(async () => {
  await beside.end();
  await db.close();
  await database.drop();
  await rm(dataDir, { recursive: true });
});

const LEASE = prepared((of, given: { readonly name: string; readonly owner: string | null }) =>
  of.insertInto('leases').values({ name: given.name, owner: given.owner, heartbeat: 0, due_at: 0 }),
);
const OWNER = prepared((of, given: { readonly name: string }) =>
  of.selectFrom('leases').select(['name', 'owner']).where('name', '=', given.name),
);
const ownerOf = (name: string) => OWNER.all(db.read, { name });
const backend = async (of: Transact | Database['read']) =>
  (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(of)).rows[0]?.pid;

test('what is written later is there for the next statement of its act, and with its commit', async () => {
  const seen = await db.transactBeside(async (tx) => {
    await LEASE.later(tx, { name: 'early', owner: 'a' });
    const rows = await OWNER.all(tx, { name: 'early' });
    await LEASE.later(tx, { name: 'late', owner: 'b' });
    return rows;
  });
  expect(seen).toEqual([{ name: 'early', owner: 'a' }]);
  expect(await ownerOf('late')).toEqual([{ name: 'late', owner: 'b' }]);
});

test('what was written later and fails undoes its act, also with the commit', async () => {
  await db.transactBeside((tx) => LEASE.later(tx, { name: 'taken', owner: 'a' }));
  const twice = db.transact(async (tx) => {
    await LEASE.later(tx, { name: 'another', owner: 'b' });
    await LEASE.later(tx, { name: 'taken', owner: 'b' });
  });
  expect(brokenUniqueness(await twice.catch((error: unknown) => error))).toBe('leases.name');
  expect(await ownerOf('another')).toEqual([]);
  const between = db.transact(async (tx) => {
    await LEASE.later(tx, { name: 'taken', owner: 'b' });
    await OWNER.all(tx, { name: 'taken' });
  });
  expect(brokenUniqueness(await between.catch((error: unknown) => error))).toBe('leases.name');
  // The connection is as good as before.
  expect(await ownerOf('taken')).toEqual([{ name: 'taken', owner: 'a' }]);
});

test('an act whose failure was kept silent is not told to be done', async () => {
  const silent = db.transact(async (tx) => {
    await LEASE.all(tx, { name: 'kept silent', owner: null });
    await LEASE.all(tx, { name: 'kept silent', owner: null }).catch(() => []);
  });
  expect(storageFailure(await silent.catch((error: unknown) => error))).toBe('unavailable');
  expect(await ownerOf('kept silent')).toEqual([]);
});

test('nothing is written later outside of an act', async () => {
  await expect(LEASE.later(db.read, { name: 'outside', owner: null })).rejects.toThrow('no act');
});

test('an act that asks nothing begins nothing; one that fails before leaves the connection as it was', async () => {
  expect(await db.transactBeside(() => Promise.resolve('nothing'))).toBe('nothing');
  await expect(db.transactBeside(() => Promise.reject(new Error('before')))).rejects.toThrow('before');
  const { rows } = await beside.query(
    `select 1 from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
  );
  expect(rows).toEqual([]);
});

test('an act beside others waits for who is alone before it judges', async () => {
  await db.transact((tx) => LEASE.all(tx, { name: 'judged', owner: 'before' }));
  let letGo = () => {};
  const held = new Promise<void>((resolve) => (letGo = resolve));
  let alone = Promise.resolve();
  await new Promise<void>((begun) => {
    alone = db.transact(async (tx) => {
      await tx.updateTable('leases').set({ owner: 'after' }).where('name', '=', 'judged').execute();
      begun();
      await held;
    });
  });
  const judged = db.transactBeside((tx) => OWNER.first(tx, { name: 'judged' }));
  await expect
    .poll(
      async () => {
        const { rows } = await beside.query(`select 1 from pg_locks where not granted and locktype = 'advisory'
        and database = (select oid from pg_database where datname = current_database())`);
        return rows.length;
      },
      { timeout: 20_000 },
    )
    .toBe(1);
  letGo();
  await alone;
  expect(await judged).toEqual({ name: 'judged', owner: 'after' });
});

test('a table that gets another column under a statement is read as it is now', async () => {
  const everything = prepared((of, given: { readonly name: string }) =>
    of.selectFrom('leases').selectAll().where('name', '=', given.name),
  );
  await db.transact((tx) => LEASE.all(tx, { name: 'widened', owner: null }));
  const before = await everything.first(db.read, { name: 'widened' });
  await beside.query('alter table leases add column note text');
  const after = await everything.first(db.read, { name: 'widened' });
  await beside.query('alter table leases drop column note');
  const again = await everything.first(db.read, { name: 'widened' });
  expect([before, after, again]).toEqual([before, { ...before, note: null }, before]);
});

test('more statements than one connection keeps', async () => {
  const many = Array.from({ length: 230 }, (_, at) =>
    prepared((of, given: { readonly name: string }) =>
      of
        .selectFrom('leases')
        .select([sql<number>`${sql.lit(at)}`.as('at')])
        .where('name', '=', given.name),
    ),
  );
  await db.transact((tx) => LEASE.all(tx, { name: 'many', owner: null }));
  for (let round = 0; round < 2; round += 1) {
    for (const [at, query] of many.entries()) expect(await query.all(db.read, { name: 'many' })).toEqual([{ at }]);
  }
  const { rows } = await sql<{ n: number }>`select count(*) as n from pg_prepared_statements`.execute(db.read);
  expect(rows[0]?.n).toBe(200);
});

test('statements that the server has forgotten are told anew: reads, and acts as a whole', async () => {
  await db.transact((tx) => LEASE.all(tx, { name: 'forgotten', owner: 'a' }));
  const pids = new Set<number | undefined>();
  for (let at = 0; at < 3; at += 1) {
    pids.add(await backend(db.read));
    expect(await ownerOf('forgotten')).toHaveLength(1);
    // What a pooler does when it gives the connection to somebody else.
    await sql`deallocate all`.execute(db.read);
  }
  expect(pids.size).toBe(1);
  let attempts = 0;
  const twice = await db.transact(async (tx) => {
    attempts += 1;
    const rows = await OWNER.all(tx, { name: 'forgotten' });
    if (attempts > 1) return rows;
    await sql`deallocate all`.execute(tx);
    return OWNER.all(tx, { name: 'forgotten' });
  });
  expect([attempts, twice]).toEqual([2, [{ name: 'forgotten', owner: 'a' }]]);
});

test('lists, bytes and nothing arrive as they are', async () => {
  const texts = ['a', 'b "quoted" \\ {x,y}', '', 'NULL', 'ä\n'];
  const bytes = Buffer.from([0, 1, 254, 255]);
  const { rows } = await sql<{ texts: string[]; bytes: Buffer; nothing: null; lists: Buffer[] }>`
    select ${texts}::text[] as texts, ${bytes}::bytea as bytes, ${null}::text as nothing,
    ${[bytes, null]}::bytea[] as lists`.execute(db.read);
  expect(rows).toEqual([{ texts, bytes, nothing: null, lists: [bytes, null] }]);
  await expect(sql`select ${{ a: 1 }}::text`.execute(db.read)).rejects.toThrow(TypeError);
});
