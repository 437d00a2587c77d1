import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from './database.ts';
import type { Database, Transact } from './database.ts';
import { prepared, preparedList } from './prepared.ts';

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

test('the query is built once; each call has its own values beside what is always the same', async () => {
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

test('inside an act it is part of the act, also beside queries of the builder; others see nothing of it', async () => {
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

test('a transaction that has ended takes no more of it', async () => {
  const kept: Transact[] = [];
  await db.transact(async (tx) => void kept.push(tx));
  await db.transactBeside(async (tx) => void kept.push(tx));
  for (const tx of kept) await expect(PUT.all(tx, { name: 'late', value: '1' })).rejects.toThrow('committed');
  expect(await FIND.all(db.read, { from: '', limit: 9 })).toEqual([]);
});

test('a list of any length is written and found, in its order', async () => {
  for (const length of [0, 1, 3, 16, 21, 64, 400]) {
    const rows = Array.from({ length }, (_, at) => ({ name: `${length}/${String(at).padStart(4, '0')}`, value: 'x' }));
    await db.transact((tx) => PUT_ALL(tx, rows));
    const names = rows.map(({ name }) => name);
    expect((await NAMED(db.read, rows)).map(({ name }) => name)).toEqual(names);
  }
});
