/** Acts that share a transaction of a real server, and what is looked up at the same moment. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { freshDatabase } from '../testing/test-database.ts';
import type { TestDatabase } from '../testing/test-database.ts';
import { insertPlace } from '../testing/test-place.ts';
import { connectTo } from '../testing/postgres-client.ts';
import type { PostgresClient } from '../testing/postgres-client.ts';
import { inTurn } from './act-locks.ts';
import { openDatabase } from './database.ts';
import type { Database, Transact } from './database.ts';
import { brokenUniqueness, storageFailure } from './failures.ts';
import { openPool } from './postgres-pool.ts';
import { sharingActs } from './postgres-sharing.ts';
import { prepared } from './prepared.ts';

let dataDir: string;
let database: TestDatabase;
let db: Database;
let other: Database;
let beside: PostgresClient;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'passwordbroker-sharing-'));
  database = await freshDatabase();
  const databaseUrl = database.environment['DATABASE_URL'] ?? '';
  db = await openDatabase({ dataDir, databaseUrl, now: 1 });
  other = await openDatabase({ dataDir, databaseUrl, now: 1 });
  beside = await connectTo(databaseUrl);
});
afterAll(async () => {
  await beside.end();
  await other.close();
  await db.close();
  await database.drop();
  await rm(dataDir, { recursive: true });
});
beforeEach(async () => {
  await beside.query('delete from leases');
});

const LEASE = prepared((of, given: { readonly name: string }) =>
  of.insertInto('leases').values({ name: given.name, owner: null, heartbeat: 0, due_at: 0 }),
);
const HEARTBEAT = prepared((of, given: { readonly name: string }) =>
  of.selectFrom('leases').select('heartbeat').where('name', '=', given.name),
);
const BEAT = prepared((of, given: { readonly name: string; readonly heartbeat: number }) =>
  of.updateTable('leases').set({ heartbeat: given.heartbeat }).where('name', '=', given.name),
);
const names = async () => {
  const { rows } = await beside.query<{ name: string }>('select name from leases order by name');
  return rows.map(({ name }) => name);
};
const xid = async (tx: Transact) =>
  (await sql<{ xid: string }>`select pg_current_xact_id()::text as xid`.execute(tx)).rows[0]?.xid;

/** One act for each of these works, all of one moment; each keeps a counter of its own. */
const together = <T>(works: readonly ((tx: Transact) => Promise<T>)[], of: Database = db) =>
  Promise.allSettled(works.map((work, at) => of.transactBeside(work, { keeps: { counter: `counter ${at}` } })));

const leasing = (name: string) => async (tx: Transact) => {
  await LEASE.later(tx, { name });
  return xid(tx);
};

test('acts of one moment share a transaction, each with its own answers', async () => {
  const acts = await together(['a', 'b', 'c', 'd', 'e'].map(leasing));
  const values = acts.map((act) => (act.status === 'fulfilled' ? act.value : act.reason));
  expect(new Set(values).size).toBe(1);
  expect(await names()).toEqual(['a', 'b', 'c', 'd', 'e']);
  const read = (name: string) => async (tx: Transact) => {
    await BEAT.later(tx, { name, heartbeat: name.charCodeAt(0) });
    return HEARTBEAT.first(tx, { name });
  };
  expect(await together(['a', 'b', 'c'].map(read))).toMatchObject(
    [97, 98, 99].map((heartbeat) => ({ status: 'fulfilled', value: { heartbeat } })),
  );
});

test('one that is refused before it has written leaves the others as they are', async () => {
  const refused = async (tx: Transact) => {
    await HEARTBEAT.first(tx, { name: 'a' });
    throw new Error('refused');
  };
  const acts = await together<unknown>([leasing('a'), refused, leasing('b')]);
  expect(acts.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(acts[1]).toMatchObject({ reason: { message: 'refused' } });
  expect(await names()).toEqual(['a', 'b']);
});

test('one that fails behind a write is undone, and the others are done again without it', async () => {
  const runs: string[] = [];
  const counted = (name: string) => async (tx: Transact) => {
    runs.push(name);
    await LEASE.all(tx, { name });
    await HEARTBEAT.first(tx, { name });
    return name;
  };
  const failing = async (tx: Transact) => {
    await LEASE.all(tx, { name: 'half' });
    throw new Error('changed its mind');
  };
  const acts = await together<unknown>([counted('a'), failing, counted('b')]);
  expect(acts[0]).toMatchObject({ value: 'a' });
  expect(acts[1]).toMatchObject({ reason: { message: 'changed its mind' } });
  expect(acts[2]).toMatchObject({ value: 'b' });
  expect(runs.toSorted()).toEqual(['a', 'a', 'b', 'b']);
  expect(await names()).toEqual(['a', 'b']);
});

test.each(['asked', 'later', 'last'])(
  'a statement that the server refuses (%s) is its own act’s failure',
  async (how) => {
    await beside.query(`insert into leases (name, owner, heartbeat, due_at) values ('taken', null, 0, 0)`);
    const taking = async (tx: Transact) => {
      await HEARTBEAT.first(tx, { name: 'taken' });
      if (how === 'asked') await LEASE.all(tx, { name: 'taken' });
      else await LEASE.later(tx, { name: 'taken' });
      if (how === 'later') await HEARTBEAT.first(tx, { name: 'taken' });
    };
    const [first, refused, second] = await together<unknown>([leasing('a'), taking, leasing('b')]);
    expect([first?.status, second?.status]).toEqual(['fulfilled', 'fulfilled']);
    expect(refused?.status === 'rejected' && brokenUniqueness(refused.reason)).toBe('leases.name');
    expect(await names()).toEqual(['a', 'b', 'taken']);
  },
);

test('nobody is told of success when the connection is lost before the commit', async () => {
  const lost = async (tx: Transact) => {
    await LEASE.all(tx, { name: 'lost' });
    await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx);
  };
  const acts = await together<unknown>([leasing('a'), lost, leasing('b')]);
  expect(acts.map((act) => act.status === 'rejected' && storageFailure(act.reason))).toEqual(
    Array.from({ length: 3 }, () => 'unavailable'),
  );
  expect(await names()).toEqual([]);
  expect((await together([leasing('after')]))[0]?.status).toBe('fulfilled');
});

test('what one of them cannot have holds up the others for a while and does not fail them', async () => {
  await beside.query('begin');
  await beside.query(`select pg_advisory_xact_lock(${0x5042_0003}, hashtext('counter 1'))`);
  const acts = await together(['a', 'b', 'c'].map(leasing));
  await beside.query('commit');
  expect(acts.map((act) => act.status === 'rejected' && storageFailure(act.reason))).toEqual([
    false,
    'unavailable',
    false,
  ]);
  expect(await names()).toEqual(['a', 'c']);
}, 20_000);

test('a server that stops responding causes 503 within fifteen seconds', async () => {
  await together(['a', 'b'].map(leasing));
  const { rows } = await beside.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and application_name = 'passwordbroker'`,
  );
  // Stops the server processes, as if the network were cut; new connections still work.
  for (const { pid } of rows) process.kill(pid, 'SIGSTOP');
  try {
    const begun = performance.now();
    const acts = await together(['c', 'd'].map(leasing));
    expect(acts.map((act) => act.status === 'rejected' && storageFailure(act.reason))).toEqual([
      'unavailable',
      'unavailable',
    ]);
    expect(performance.now() - begun).toBeLessThan(15_000);
    // The old connections are not used again.
    expect((await together([leasing('e')]))[0]?.status).toBe('fulfilled');
    expect(performance.now() - begun).toBeLessThan(15_000);
  } finally {
    for (const { pid } of rows) process.kill(pid, 'SIGCONT');
  }
  expect(await names()).toEqual(['a', 'b', 'e']);
}, 30_000);

test('while the vault is somebody’s alone, those that share a transaction wait for it once', async () => {
  await beside.query('begin');
  await beside.query(`select pg_advisory_xact_lock(${0x5042_0001})`);
  const begun = performance.now();
  const acts = await together(['a', 'b', 'c'].map(leasing));
  const waited = performance.now() - begun;
  await beside.query('commit');
  expect(acts.map((act) => act.status === 'rejected' && storageFailure(act.reason))).toEqual(
    Array.from({ length: 3 }, () => 'unavailable'),
  );
  // The limit of a lock is 3 s.
  expect(waited).toBeLessThan(5000);
});

test('whoever would have to wait for too long is refused, and was not in', async () => {
  const pool = openPool({ connectionString: database.environment['DATABASE_URL'] ?? '', connections: 2 }, { max: 2 });
  const refused = new Error('too long');
  const sharing = sharingActs(pool, [], { lineMs: 200, idleMs: 10_000, end: () => refused });
  const begun: string[] = [];
  const act = (name: string, counter: string, ms: number) =>
    sharing.run({ counter }, async (tx) => {
      begun.push(name);
      for (let waited = 0; waited < ms; waited += 50) {
        await wait(50);
        await HEARTBEAT.first(tx, { name });
      }
    });
  const first = act('first', 'one', 600);
  await wait(100);
  const acts = [act('behind', 'one', 0), act('beside', 'two', 0)];
  expect(await Promise.allSettled(acts)).toEqual([
    { status: 'rejected', reason: refused },
    { status: 'fulfilled', value: undefined },
  ]);
  await first;
  await act('after', 'one', 300);
  expect(begun).toEqual(['first', 'beside', 'after']);
  await pool.end();
});

test('an act that neither asks nor ends holds nobody up for longer than anybody waits', async () => {
  const pool = openPool({ connectionString: database.environment['DATABASE_URL'] ?? '', connections: 2 }, { max: 2 });
  const refused = new Error('too long');
  const sharing = sharingActs(pool, [], { lineMs: 10_000, idleMs: 300, end: () => refused });
  const stuck = sharing.run({ counter: 'one' }, async (tx) => {
    await LEASE.all(tx, { name: 'stuck' });
    await new Promise(() => {});
  });
  const other = sharing.run({ counter: 'two' }, (tx) => HEARTBEAT.first(tx, { name: 'none' }));
  const third = sharing.run({ counter: 'three' }, async (tx) => {
    await HEARTBEAT.first(tx, { name: 'none' });
    return HEARTBEAT.first(tx, { name: 'none' });
  });
  expect(await Promise.allSettled([stuck, other, third])).toEqual(
    Array.from({ length: 3 }, () => ({ status: 'rejected', reason: refused })),
  );
  expect(await names()).toEqual([]);
  await sharing.run({ counter: 'one' }, (tx) => LEASE.all(tx, { name: 'after' }));
  expect(await names()).toEqual(['after']);
  await pool.end();
});

test('an act that fails while it waits for an answer in its turn gives the turn back', async () => {
  const slowly = async (tx: Transact) => {
    for (let n = 0; n < 3; n += 1) await HEARTBEAT.first(tx, { name: 'none' });
  };
  const failing = async (tx: Transact) => {
    await HEARTBEAT.first(tx, { name: 'none' });
    // One fails before what the other has asked for goes to the server.
    await Promise.all([
      inTurn(tx, () => HEARTBEAT.first(tx, { name: 'none' })),
      Promise.resolve().then(() => Promise.reject(new Error('no'))),
    ]);
  };
  const turning = async (tx: Transact) => {
    await HEARTBEAT.first(tx, { name: 'none' });
    await inTurn(tx, () => LEASE.all(tx, { name: 'turned' }));
  };
  const acts = await together<unknown>([failing, turning, slowly]);
  expect(acts.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  expect(acts[0]).toMatchObject({ reason: { message: 'no' } });
  expect(await names()).toEqual(['turned']);
});

test('whatever goes wrong, the connection is as good as before', async () => {
  const strange = prepared((of, given: { readonly name: string }) =>
    of.selectFrom('leases').select('name').where('name', '=', given.name),
  );
  // A value that no statement takes.
  const failing = (tx: Transact) => strange.first(tx, { name: (() => {}) as never });
  const ends: string[] = [];
  const late = async (tx: Transact) => {
    await HEARTBEAT.first(tx, { name: 'none' });
    await failing(tx).finally(() => ends.push('its own'));
  };
  const refused = { status: 'rejected', reason: expect.any(TypeError) as unknown };
  expect(await together<unknown>([leasing('a'), failing])).toMatchObject([{ status: 'fulfilled' }, refused]);
  expect(await together<unknown>([late, leasing('b')])).toMatchObject([refused, { status: 'fulfilled' }]);
  expect(await names()).toEqual(['a', 'b']);
  // Once with the others, once by itself: nothing waits for an answer that does not come.
  expect(ends).toEqual(['its own', 'its own']);
  const { rows } = await beside.query<{ n: string }>(
    `select count(*) as n from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
  );
  expect(Number(rows[0]?.n)).toBe(0);
  expect((await together([leasing('after')]))[0]?.status).toBe('fulfilled');
});

test('one that fails without waiting for what it has asked for leaves nothing of it', async () => {
  const careless = async (tx: Transact) => {
    await HEARTBEAT.first(tx, { name: 'none' });
    await Promise.all([
      LEASE.all(tx, { name: 'careless' }),
      (async () => {
        await Promise.resolve();
        throw new Error('did not wait');
      })(),
    ]);
  };
  const acts = await together<unknown>([leasing('a'), careless, leasing('b')]);
  expect(acts.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(acts[1]).toMatchObject({ reason: { message: 'did not wait' } });
  expect(await names()).toEqual(['a', 'b']);
});

test('acts that keep the same entry come one after the other, those of several processes too', async () => {
  await beside.query(`insert into leases (name, owner, heartbeat, due_at) values ('counted', null, 0, 0)`);
  const one = async (tx: Transact) => {
    const { heartbeat = 0 } = (await HEARTBEAT.first(tx, { name: 'counted' })) ?? {};
    await BEAT.all(tx, { name: 'counted', heartbeat: heartbeat + 1 });
    return heartbeat;
  };
  const { e: entry } = await insertPlace({ db, clock: { now: () => 1 } }, {});
  const acts = Array.from({ length: 20 }, (_, at) =>
    (at % 2 === 0 ? db : other).transactBeside(one, { keeps: { entry } }),
  );
  const seen = await Promise.all(acts);
  expect(seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, at) => at));
});

test('those that keep the same counter go side by side, and take turns where they say so', async () => {
  await beside.query(`insert into leases (name, owner, heartbeat, due_at) values ('counted', null, 0, 0)`);
  const one = async (tx: Transact) =>
    inTurn(tx, async () => {
      const { heartbeat = 0 } = (await HEARTBEAT.first(tx, { name: 'counted' })) ?? {};
      await BEAT.all(tx, { name: 'counted', heartbeat: heartbeat + 1 });
      return [heartbeat, await xid(tx)] as const;
    });
  const keeps = { counter: 'the same' };
  const seen = await Promise.all(Array.from({ length: 12 }, () => db.transactBeside(one, { keeps })));
  expect(seen.map(([heartbeat]) => heartbeat).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 12 }, (_, at) => at),
  );
  // A turn that fails is the next one's all the same.
  const failing = (tx: Transact) => inTurn(tx, () => Promise.reject(new Error('no')));
  const after = await Promise.allSettled(
    [failing, one, failing].map((work) => db.transactBeside<unknown>(work, { keeps })),
  );
  expect(after.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected']);
});

async function threeEntries(): Promise<string[]> {
  const site = { db, clock: { now: () => 1 } };
  const places = [await insertPlace(site, {}), await insertPlace(site, {}), await insertPlace(site, {})];
  return places.map(({ e }) => e);
}

test.each(['counter', 'entry'] as const)(
  'two processes that keep the same %s in opposite orders never wait for each other',
  async (kind) => {
    const deadlocks = async () => {
      const { rows } = await beside.query<{ n: string }>(
        'select deadlocks as n from pg_stat_database where datname = current_database()',
      );
      return Number(rows[0]?.n);
    };
    const before = await deadlocks();
    const act = (tx: Transact) => HEARTBEAT.first(tx, { name: 'none' });
    const things = kind === 'counter' ? ['left', 'middle', 'right'] : await threeEntries();
    const keeping = (of: Database, names: readonly string[]) =>
      names.map((name) => of.transactBeside(act, { keeps: kind === 'counter' ? { counter: name } : { entry: name } }));
    // Somebody has the one in the middle until both have begun.
    await beside.query('begin');
    if (kind === 'counter') await beside.query(`select pg_advisory_xact_lock(${0x5042_0003}, hashtext('middle'))`);
    else await beside.query('select from entries where entry_id = $1 for update', [things[1]]);
    const acts = [...keeping(db, things), ...keeping(other, things.toReversed())];
    await wait(300);
    await beside.query('commit');
    await Promise.all(acts);
    // The server's own count comes a moment later.
    await wait(1200);
    expect(await deadlocks()).toBe(before);
  },
);

test('what is looked up at the same moment is answered each by itself, also beside one that fails', async () => {
  await together(['a', 'b', 'c'].map(leasing));
  const divided = prepared((of, given: { readonly by: number }) =>
    of.selectNoFrom(sql<number>`10 / cast(${given.by} as bigint)`.as('n')),
  );
  const answers = await Promise.allSettled([
    ...[1, 2, 0, 5].map((by) => divided.first(db.read, { by })),
    ...['a', 'nobody', 'c'].map((name) => HEARTBEAT.first(db.read, { name })),
    divided.first(db.read, { by: 0 }),
    divided.first(db.read, { by: 10 }),
  ]);
  const told = answers.map((one) => (one.status === 'fulfilled' ? one.value : (one.reason as { code: string }).code));
  const byZero = '22012';
  expect(told).toEqual([
    { n: 10 },
    { n: 5 },
    byZero,
    { n: 2 },
    { heartbeat: 0 },
    undefined,
    { heartbeat: 0 },
    byZero,
    { n: 1 },
  ]);
  // More than go together.
  const many = await Promise.all(Array.from({ length: 100 }, (_, at) => divided.first(db.read, { by: at + 1 })));
  expect(many.map((row) => row?.n)).toEqual(Array.from({ length: 100 }, (_, at) => Math.trunc(10 / (at + 1))));
});

test('lookups that wait for a table wait together, not one after the other', async () => {
  await beside.query('begin');
  await beside.query('lock table leases in access exclusive mode');
  const begun = performance.now();
  const name = prepared((of) => of.selectFrom('site_settings').select('name').limit(1));
  const waiting = Array.from({ length: 8 }, () => HEARTBEAT.first(db.read, { name: 'a' }));
  const answers = await Promise.allSettled([...waiting, name.first(db.read, {})]);
  const waited = performance.now() - begun;
  await beside.query('commit');
  expect(answers.map(({ status }) => status)).toEqual([...waiting.map(() => 'rejected'), 'fulfilled']);
  expect(answers[7]?.status === 'rejected' && storageFailure(answers[7].reason)).toBe('unavailable');
  // The limit of a lock is 3 s.
  expect(waited).toBeLessThan(5000);
}, 20_000);

test('a value that no statement takes is the failure of its own lookup', async () => {
  const of = (by: unknown) => HEARTBEAT.first(db.read, { name: by as string });
  await together([leasing('a')]);
  const answers = await Promise.allSettled([of('a'), of(() => {}), of('a')]);
  expect(answers).toMatchObject([
    { value: { heartbeat: 0 } },
    { reason: expect.any(TypeError) as unknown },
    { value: { heartbeat: 0 } },
  ]);
});

test('a table that gets another column is told anew on each connection', async () => {
  await together(['a'].map(leasing));
  const whole = prepared((of, given: { readonly name: string }) =>
    of.selectFrom('leases').selectAll().where('name', '=', given.name),
  );
  // As many as several connections take, and others that want these.
  const all = () =>
    Promise.all(
      Array.from({ length: 60 }, async (_, at) =>
        at % 2 === 0 ? whole.first(db.read, { name: 'a' }) : (await whole.all(db.read, { name: 'a' }))[0],
      ),
    );
  const before = await all();
  for (const colour of ['red', 'green', 'blue']) {
    await beside.query(`alter table leases add column ${colour} text`);
    expect(await all()).toEqual(before.map((row) => expect.objectContaining({ ...row, [colour]: null })));
  }
});
