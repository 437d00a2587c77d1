import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openDatabase } from './database.ts';
import type { Database, Transact } from './database.ts';
import { TransactionGone, brokenUniqueness } from './failures.ts';
import { BetterSqlite } from './sqlite-engine.ts';

let dataDir: string;
let db: Database;
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'passwordbroker-group-'));
  db = await openDatabase({ dataDir, now: 1 });
});
afterEach(async () => {
  await db.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const put = (tx: Transact, name: string) =>
  tx.insertInto('site_settings').values({ name, value: 'x', updated_at: 1 }).execute();
const namesIn = async (from: Database['read']) =>
  (await from.selectFrom('site_settings').select('name').orderBy('name').execute()).map(({ name }) => name);

/** Frames of the write-ahead log that end a transaction: they tell the size of the database after it. */
function commits(): number {
  const log = readFileSync(`${db.path}-wal`);
  const [head, frame] = [32, 24 + log.readUInt32BE(8)];
  const salt = log.subarray(16, 24);
  let count = 0;
  for (let at = head; at + frame <= log.length; at += frame) {
    if (!log.subarray(at + 8, at + 16).equals(salt)) break;
    if (log.readUInt32BE(at + 4) > 0) count += 1;
  }
  return count;
}

test('acts of one moment have one commit; each of the others has its own', async () => {
  const before = commits();
  await Promise.all(['a', 'b', 'c', 'd'].map((name) => db.transactBeside((tx) => put(tx, name))));
  expect(commits() - before).toBe(1);
  await Promise.all(['e', 'f'].map((name) => db.transact((tx) => put(tx, name))));
  expect(commits() - before).toBe(3);
  expect(await namesIn(db.read)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
});

test('who is in no hurry waits a moment for somebody to share a commit with; who is takes him along, and so does the end', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const before = commits();
    const putUnhurried = (name: string) => db.transactBeside((tx) => put(tx, name), { isUnhurried: true });
    const alone = [putUnhurried('a'), putUnhurried('b')];
    for (let turn = 0; turn < 50; turn += 1) await turnOfTheLoop();
    expect(commits()).toBe(before);
    vi.advanceTimersByTime(40);
    await Promise.all(alone);
    expect(commits() - before).toBe(1);
    const taken = putUnhurried('c');
    for (let turn = 0; turn < 50; turn += 1) await turnOfTheLoop();
    expect(commits() - before).toBe(1);
    await db.transactBeside((tx) => put(tx, 'd'));
    await taken;
    expect(commits() - before).toBe(2);
    const last = putUnhurried('e');
    await db.close();
    await last;
  } finally {
    vi.useRealTimers();
  }
  db = await openDatabase({ dataDir, now: 1 });
  expect(await namesIn(db.read)).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('they run one after the other, each sees those before it, and nobody else sees any before the commit', async () => {
  const seen: string[][] = [];
  const acts = ['a', 'b', 'c'].map((name) =>
    db.transactBeside(async (tx) => {
      seen.push(await namesIn(tx));
      await put(tx, name);
      seen.push(await namesIn(db.read));
      return name.toUpperCase();
    }),
  );
  expect(await Promise.all(acts)).toEqual(['A', 'B', 'C']);
  expect(seen).toEqual([[], [], ['a'], [], ['a', 'b'], []]);
  expect(await namesIn(db.read)).toEqual(['a', 'b', 'c']);
});

test('an act that fails in the middle leaves nothing, whatever it was that failed; those around it stay', async () => {
  const results = await Promise.allSettled([
    db.transactBeside((tx) => put(tx, 'first')),
    db.transactBeside(async (tx) => {
      await put(tx, 'lost');
      throw new Error('no');
    }),
    db.transactBeside(async (tx) => {
      await put(tx, 'lost too');
      await put(tx, 'first');
    }),
    // What the failed ones had written is in nobody's way.
    db.transactBeside((tx) => put(tx, 'lost')),
    db.transactBeside((tx) => put(tx, 'last')),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled', 'fulfilled']);
  const [, second, third] = results;
  expect(second).toMatchObject({ reason: { message: 'no' } });
  expect(third?.status === 'rejected' && brokenUniqueness(third.reason)).toBe('site_settings.name');
  expect(await namesIn(db.read)).toEqual(['first', 'last', 'lost']);
});

test('who is refused before he writes costs the others nothing; who fails later makes them act once more, and that is all', async () => {
  const runs: string[] = [];
  const act = (name: string) => async (tx: Transact) => {
    runs.push(name);
    await put(tx, name);
  };
  const between = async (one: string, failing: (tx: Transact) => Promise<unknown>, other: string) => {
    const refused = async (tx: Transact) => {
      await failing(tx);
      throw new Error('no');
    };
    const all = [act(one), refused, act(other)].map((work) => db.transactBeside(work));
    const results = await Promise.allSettled(all);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  };
  await between('a', namesIn, 'b');
  expect(runs.splice(0)).toEqual(['a', 'b']);
  await between('c', (tx) => put(tx, 'lost'), 'd');
  expect(runs).toEqual(['c', 'c', 'd']);
  expect(await namesIn(db.read)).toEqual(['a', 'b', 'c', 'd']);
});

test('nobody is told of an act before its commit', async () => {
  const log: string[] = [];
  const first = db.transactBeside((tx) => put(tx, 'a')).then(() => log.push('a is told'));
  const failing = db.transactBeside(() => Promise.reject(new Error('no'))).catch(() => log.push('the failure is told'));
  const last = db.transactBeside(async (tx) => {
    await put(tx, 'b');
    // Others have their turn meanwhile, and still hear nothing.
    await new Promise((resolve) => setTimeout(resolve, 20));
    log.push('b is done');
  });
  await Promise.all([first, failing, last]);
  expect(log[0]).toBe('b is done');
  expect(new Set(log.slice(1))).toEqual(new Set(['a is told', 'the failure is told']));
});

test('a commit that fails fails all that are in it, and the next one is none the worse', async () => {
  const owner = { entry_group_id: 'nowhere', user_id: 'nobody', role: 'admin' as const, created_at: 1, updated_at: 1 };
  const results = await Promise.allSettled([
    db.transactBeside((tx) => put(tx, 'a')),
    db.transactBeside(async (tx) => {
      await sql`pragma defer_foreign_keys = on`.execute(tx);
      await tx
        .insertInto('group_members')
        .values({ id: 'x', ...owner })
        .execute();
    }),
    db.transactBeside((tx) => put(tx, 'b')),
  ]);
  for (const result of results) expect(result).toMatchObject({ reason: { code: 'SQLITE_CONSTRAINT_FOREIGNKEY' } });
  expect(await namesIn(db.read)).toEqual([]);
  await db.transactBeside((tx) => put(tx, 'next'));
  expect(await namesIn(db.read)).toEqual(['next']);
});

test('a transaction that the engine gave up by itself fails those that were in it; those behind it have another', async () => {
  const results = await Promise.allSettled([
    db.transactBeside((tx) => put(tx, 'a')),
    db.transactBeside(async (tx) => {
      await sql`insert or rollback into site_settings (name, value, updated_at) values ('a', 'y', 2)`.execute(tx);
    }),
    db.transactBeside((tx) => put(tx, 'b')),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  for (const { reason } of results.filter((result) => result.status === 'rejected'))
    expect(brokenUniqueness(reason)).toBe('site_settings.name');
  expect(await namesIn(db.read)).toEqual(['b']);
});

test.each(['a write', 'nothing more'])(
  'who swallows the failure that ended the transaction and goes on with %s leaves no row, and those around him are told',
  async (rest) => {
    const results = await Promise.allSettled([
      db.transactBeside((tx) => put(tx, 'a')),
      db.transactBeside(async (tx) => {
        await put(tx, 'own');
        // As the engine does it by itself on a full disk.
        await sql`rollback`.execute(tx);
        if (rest === 'a write') await put(tx, 'behind').catch(() => put(tx, 'again'));
      }),
      db.transactBeside((tx) => put(tx, 'b')),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
    expect(await namesIn(db.read)).toEqual(['b']);
  },
);

test('an act alone that goes on behind such a failure leaves no row either', async () => {
  const alone = db.transact(async (tx) => {
    await sql`insert or rollback into site_settings (name, value, updated_at) values ('x', null, 2)`
      .execute(tx)
      .catch(() => {});
    await put(tx, 'behind');
  });
  await expect(alone).rejects.toThrow(TransactionGone);
  await db.transact((tx) => put(tx, 'next'));
  expect(await namesIn(db.read)).toEqual(['next']);
});

test('acts that cannot even begin are told so', async () => {
  await db.transact((tx) => sql`pragma busy_timeout = 50`.execute(tx));
  const other = new BetterSqlite(db.path);
  other.exec('begin immediate');
  const results = await Promise.allSettled(['a', 'b'].map((name) => db.transactBeside((tx) => put(tx, name))));
  for (const result of results) expect(result).toMatchObject({ reason: { code: 'SQLITE_BUSY' } });
  other.exec('rollback');
  other.close();
  await db.transactBeside((tx) => put(tx, 'c'));
  expect(await namesIn(db.read)).toEqual(['c']);
});

test('whoever needs the writer alone has it in his turn, and nobody is forgotten at the end', async () => {
  const order: string[] = [];
  const act = (name: string) => async (tx: Transact) => {
    await put(tx, name);
    order.push(name);
  };
  const acts = [
    db.transactBeside(act('beside')),
    db.transact(act('alone')),
    db.exclusive(async () => void order.push('exclusive')),
  ];
  const closing = db.close();
  await Promise.all([...acts, closing]);
  expect(order).toEqual(['beside', 'alone', 'exclusive']);
  db = await openDatabase({ dataDir, now: 1 });
  expect(await namesIn(db.read)).toEqual(['alone', 'beside']);
});

test('SIGKILL at any moment: what was told is there, and no act is there in part (R2)', async () => {
  await db.close();
  const program = fileURLToPath(new URL('./testing/write-until-killed.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', program, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const told: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    told.push(line);
    if (told.length === 400) child.kill('SIGKILL');
  }
  db = await openDatabase({ dataDir, now: 1 });
  const found = await namesIn(db.read);
  expect(told.length).toBeGreaterThanOrEqual(400);
  expect(told.filter((name) => !found.includes(name))).toEqual([]);
  // Each act wrote two rows.
  const halves = found.filter((name) => !found.includes(name.endsWith('!') ? name.slice(0, -1) : `${name}!`));
  expect(halves).toEqual([]);
});
