import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from './open.ts';
import type { Database, Transact } from './database.ts';
import { prepared, preparedAmong, preparedList, preparedShapes } from './prepared.ts';

let dataDir: string;
let db: Database;
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'passwordbroker-prepared-'));
  db = await openDatabase({ dataDir, now: 1 });
});
afterEach(async () => {
  await db.close();
  rmSync(dataDir, { recursive: true, force: true });
});

interface Setting {
  readonly name: string;
  readonly value: string;
}
let built = 0;
const PUT = prepared((of, given: Setting) => {
  built += 1;
  return of.insertInto('site_settings').values({ name: given.name, value: given.value, updated_at: 7 });
});
const FIND = prepared((of, given: { readonly from: string; readonly limit: number }) =>
  of.selectFrom('site_settings').selectAll().where('name', '>=', given.from).orderBy('name').limit(given.limit),
);
const PUT_ALL = preparedList((of, rows: readonly Setting[]) =>
  of.insertInto('site_settings').values(rows.map(({ name, value }) => ({ name, value, updated_at: 7 }))),
);
const NAMED = preparedList((of, rows: readonly { readonly name: string }[]) =>
  of
    .selectFrom('site_settings')
    .select('name')
    .where(
      'name',
      'in',
      rows.map(({ name }) => name),
    )
    .orderBy('name'),
);

test('a query is compiled once; each call binds its own values beside the constant ones', async () => {
  built = 0;
  await db.transact(async (tx) => {
    await PUT.all(tx, { name: 'a', value: '1' });
    await PUT.all(tx, { name: 'b', value: '2' });
  });
  expect(built).toBe(1);
  expect(await FIND.all(db.read, { from: 'a', limit: 1 })).toEqual([{ name: 'a', value: '1', updated_at: 7 }]);
  expect(await FIND.first(db.read, { from: 'b', limit: 9 })).toEqual({ name: 'b', value: '2', updated_at: 7 });
  expect(await FIND.first(db.read, { from: 'c', limit: 9 })).toBeUndefined();
});

test('a query in a transaction is part of it, also beside queries of the builder, and invisible to others', async () => {
  const failing = db.transactBeside(async (tx) => {
    await PUT.all(tx, { name: 'a', value: '1' });
    await tx.updateTable('site_settings').set({ value: '2' }).execute();
    expect(await FIND.first(tx, { from: 'a', limit: 1 })).toMatchObject({ value: '2' });
    expect(await FIND.first(db.read, { from: 'a', limit: 1 })).toBeUndefined();
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await FIND.first(db.read, { from: 'a', limit: 1 })).toBeUndefined();
});

test('an ended transaction refuses prepared queries', async () => {
  const kept: Transact[] = [];
  await db.transact(async (tx) => void kept.push(tx));
  await db.transactBeside(async (tx) => void kept.push(tx));
  for (const tx of kept) await expect(PUT.all(tx, { name: 'late', value: '1' })).rejects.toThrow('committed');
  expect(await FIND.all(db.read, { from: '', limit: 9 })).toEqual([]);
});

test('a list of any length is written and read in order', async () => {
  for (const length of [0, 1, 3, 16, 21, 64, 400]) {
    const rows = Array.from({ length }, (_, at) => ({ name: `${length}/${String(at).padStart(4, '0')}`, value: 'x' }));
    await db.transact((tx) => PUT_ALL(tx, rows));
    const names = rows.map(({ name }) => name);
    expect((await NAMED(db.read, rows)).map(({ name }) => name)).toEqual(names);
  }
});

const AMONG = preparedAmong((of, names) => of.selectFrom('site_settings').select('name').where('name', 'in', names));

test('rows that match given values are found once, however many values there are', async () => {
  const rows = Array.from({ length: 600 }, (_, at) => ({ name: String(at).padStart(4, '0'), value: 'x' }));
  await db.transact((tx) => PUT_ALL(tx, rows));
  for (const length of [0, 1, 2, 8, 9, 33, 512, 513, 600]) {
    const names = rows.slice(0, length).map(({ name }) => name);
    expect((await AMONG(db.read, ['none', ...names])).map(({ name }) => name).sort()).toEqual(names);
    expect((await AMONG(db.read, names)).map(({ name }) => name).sort()).toEqual(names);
  }
});

test('rows with renamed columns have the right names, also if another query has the same statement', async () => {
  const ROLES = prepared((of, given: { readonly name: string }) =>
    of
      .selectFrom('site_settings')
      .select(['name', 'value', 'updated_at', 'name as n', 'value as v', 'updated_at as at'])
      .where('name', '=', given.name),
  );
  await db.transact((tx) => PUT.all(tx, { name: 'a', value: '1' }));
  const row = { name: 'a', value: '1', updated_at: 7, n: 'a', v: '1', at: 7 };
  expect(await ROLES.all(db.read, { name: 'a' })).toEqual([row]);
  const same = db.read
    .selectFrom('site_settings')
    .select(['name', 'value', 'updated_at', 'name as n', 'value as v', 'updated_at as at'])
    .where('name', '=', 'a');
  expect(await same.execute()).toEqual([row]);
  expect(await ROLES.first(db.read, { name: 'a' })).toEqual(row);
});

test('a query has one statement for each shape, and the most recently used are cached', async () => {
  const texts: string[] = [];
  const named = (name: string) => ({ name, isTurned: name.startsWith('turned') });
  const SHAPED = preparedShapes(
    (
      of,
      given: { readonly from: string },
      { name, isTurned }: { readonly name: string; readonly isTurned: boolean },
    ) => {
      texts.push(name);
      const query = of.selectFrom('site_settings').select('name').where('name', '>=', given.from);
      return query.orderBy('name', isTurned ? 'desc' : 'asc');
    },
  );
  await db.transact((tx) =>
    PUT_ALL(
      tx,
      [...'abc'].map((name) => ({ name, value: 'x' })),
    ),
  );
  const ask = async (name: string, from: string) =>
    (await SHAPED(db.read, named(name), { from })).map((row) => row.name);
  expect([await ask('plain', 'b'), await ask('turned', 'a'), await ask('plain', 'c')]).toEqual([
    ['b', 'c'],
    ['c', 'b', 'a'],
    ['c'],
  ]);
  expect(texts).toEqual(['plain', 'turned']);
  for (let at = 0; at < 99; at += 1) await ask(`shape ${at}`, 'a');
  expect(await ask('plain', 'a')).toHaveLength(3);
  expect(texts.filter((name) => name === 'plain')).toHaveLength(1);
  expect(await ask('turned', 'a')).toEqual(['c', 'b', 'a']);
  expect(texts.filter((name) => name === 'turned')).toHaveLength(2);
});
