import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../open.ts';
import type { Database, Transact } from '../database.ts';
import { TransactionGone, brokenUniqueness } from '../failures.ts';
import { BetterSqlite } from './connections.ts';

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

/** Counts the commit frames of the write-ahead log, which hold the size of the database. */
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

test('operations of the same moment share a commit; a transaction alone has its own', async () => {
  const before = commits();
  await Promise.all(['a', 'b', 'c', 'd'].map((name) => db.transactBeside((tx) => put(tx, name))));
  expect(commits() - before).toBe(1);
  await Promise.all(['e', 'f'].map((name) => db.transact((tx) => put(tx, name))));
  expect(commits() - before).toBe(3);
  expect(await namesIn(db.read)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
});

test('they run in order, each sees the earlier ones, and readers see none before the commit', async () => {
  const seen: string[][] = [];
  const all = ['a', 'b', 'c'].map((name) =>
    db.transactBeside(async (tx) => {
      seen.push(await namesIn(tx));
      await put(tx, name);
      seen.push(await namesIn(db.read));
      return name.toUpperCase();
    }),
  );
  expect(await Promise.all(all)).toEqual(['A', 'B', 'C']);
  expect(seen).toEqual([[], [], ['a'], [], ['a', 'b'], []]);
  expect(await namesIn(db.read)).toEqual(['a', 'b', 'c']);
});

test('a failing operation leaves nothing; the others are committed', async () => {
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
    // The failed operation's row is gone, so this is no conflict.
    db.transactBeside((tx) => put(tx, 'lost')),
    db.transactBeside((tx) => put(tx, 'last')),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled', 'fulfilled']);
  const [, second, third] = results;
  expect(second).toMatchObject({ reason: { message: 'no' } });
  expect(third?.status === 'rejected' && brokenUniqueness(third.reason)).toBe('site_settings.name');
  expect(await namesIn(db.read)).toEqual(['first', 'last', 'lost']);
});

test('each operation runs once, also beside one that fails after a write', async () => {
  const runs: string[] = [];
  const results = await Promise.allSettled(
    ['a', 'failing', 'b'].map((name) =>
      db.transactBeside(async (tx) => {
        runs.push(name);
        await put(tx, name);
        if (name === 'failing') throw new Error('no');
      }),
    ),
  );
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(runs).toEqual(['a', 'failing', 'b']);
  expect(await namesIn(db.read)).toEqual(['a', 'b']);
});

test('a transaction alone has its turn while operations arrive without pause', async () => {
  let isDone = false;
  let count = 0;
  const keepOn = async () => {
    for (; !isDone && count < 2000; count += 1) await db.transactBeside((tx) => put(tx, String(count)));
  };
  const operations = keepOn();
  await db.transact((tx) => put(tx, 'alone'));
  isDone = true;
  await operations;
  expect(count).toBeLessThan(10);
});

test('no operation is answered before its commit', async () => {
  const log: string[] = [];
  const first = db.transactBeside((tx) => put(tx, 'a')).then(() => log.push('a is settled'));
  const failing = db
    .transactBeside(() => Promise.reject(new Error('no')))
    .catch(() => log.push('the failure is settled'));
  const last = db.transactBeside(async (tx) => {
    await put(tx, 'b');
    // The event loop runs meanwhile.
    await new Promise((resolve) => setTimeout(resolve, 20));
    log.push('b is done');
  });
  await Promise.all([first, failing, last]);
  expect(log[0]).toBe('b is done');
  expect(new Set(log.slice(1))).toEqual(new Set(['a is settled', 'the failure is settled']));
});

test('a failing commit rejects all of its operations; the next one succeeds', async () => {
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

test('if SQLite rolls back by itself, the operations so far fail and the later ones get another transaction', async () => {
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
  'an operation that ignores the rollback of its transaction and goes on with %s leaves no row, and the earlier ones fail',
  async (rest) => {
    const results = await Promise.allSettled([
      db.transactBeside((tx) => put(tx, 'a')),
      db.transactBeside(async (tx) => {
        await put(tx, 'own');
        // SQLite does the same on a full disk.
        await sql`rollback`.execute(tx);
        if (rest === 'a write') await put(tx, 'behind').catch(() => put(tx, 'again'));
      }),
      db.transactBeside((tx) => put(tx, 'b')),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
    expect(await namesIn(db.read)).toEqual(['b']);
  },
);

test('a transaction alone that goes on after its rollback leaves no row either', async () => {
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

test('operations fail if their transaction cannot begin', async () => {
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

test('transactions alone and exclusive work keep the queue order, and close waits for all', async () => {
  const order: string[] = [];
  const write = (name: string) => async (tx: Transact) => {
    await put(tx, name);
    order.push(name);
  };
  const all = [
    db.transactBeside(write('beside')),
    db.transact(write('alone')),
    db.exclusive(async () => void order.push('exclusive')),
  ];
  const closing = db.close();
  await Promise.all([...all, closing]);
  expect(order).toEqual(['beside', 'alone', 'exclusive']);
  db = await openDatabase({ dataDir, now: 1 });
  expect(await namesIn(db.read)).toEqual(['alone', 'beside']);
});

test('SIGKILL: acknowledged operations are there, and none is there in part (R2)', async () => {
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
  // Each operation wrote two rows.
  const halves = found.filter((name) => !found.includes(name.endsWith('!') ? name.slice(0, -1) : `${name}!`));
  expect(halves).toEqual([]);
});
