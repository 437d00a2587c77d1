/** Bulk inserts. */
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openBulkWriter } from './writer.ts';
import { openDatabase } from '../open.ts';
import { packRows } from './packed-rows.ts';

async function open() {
  const dataDir = mkdtempSync(join(tmpdir(), 'passwordbroker-bulk-'));
  const db = await openDatabase({ dataDir, now: 1 });
  const writer = await openBulkWriter(db.path);
  onTestFinished(async () => {
    await writer.close();
    await db.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const rows = db.read.selectFrom('site_settings').select(['name', 'value', 'updated_at']).orderBy('updated_at');
  const stored = () => rows.execute();
  return { writer, stored, path: db.path };
}

const settings = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => ({ name: `n${from + at}`, value: `v${from + at}`, updated_at: from + at }));

test.each([0, 1, 15, 16, 127, 128, 129, 300])('%i rows are stored unchanged, once each', async (count) => {
  const { writer, stored } = await open();
  await writer.transact((_, insert) => insert('site_settings', settings(count)));
  expect(await stored()).toEqual(settings(count));
});

test('members in another order belong to the same columns', async () => {
  const { writer, stored } = await open();
  await writer.transact(async (_, insert) => {
    await insert('site_settings', settings(20));
    await insert(
      'site_settings',
      settings(20, 20).map(({ name, value, updated_at }) => ({ updated_at, value, name })),
    );
  });
  expect(await stored()).toEqual(settings(40));
});

test.each([
  ['packed', packRows<'site_settings'>(settings(300))],
  ['with equal values in a column', settings(300).map((row) => ({ ...row, value: 'one' }))],
  [
    'with equal values in all but one column, at first',
    settings(300).map((row, at) => ({ ...row, value: at < 200 ? 'a' : 'b', updated_at: 7 })),
  ],
])('rows %s are stored unchanged', async (_, rows) => {
  const { writer, stored } = await open();
  await writer.transact((_tx, insert) => insert('site_settings', rows));
  const byName = (all: readonly { name: string }[]) => [...all].sort((a, b) => a.name.localeCompare(b.name));
  expect(byName(await stored())).toEqual(byName('columns' in rows ? settings(300) : rows));
});

test.each([
  ['more', { name: 'b', value: 'v', updated_at: 1, further: 1 }],
  ['fewer', { name: 'b', value: 'v' }],
  ['others', { name: 'b', value: 'v', further: 1 }],
])('a later row with %s members than the first fails the whole list', async (_, later) => {
  const { writer, stored } = await open();
  // Optional members let rows with different columns pass the type checker.
  const rows = [{ name: 'a', value: 'v', updated_at: 1 }, later as ReturnType<typeof settings>[number]];
  await expect(writer.transact((_tx, insert) => insert('site_settings', rows))).rejects.toThrow(/other columns/);
  expect(() => packRows<'site_settings'>(rows)).toThrow(/other columns/);
  expect(await stored()).toEqual([]);
});

test('closes a writer that was never used, and one in a transaction, which is rolled back', async () => {
  const { path } = await open();
  // Each connection opens the log once and SQLite closes it with the last connection.
  const opened = () =>
    readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`) === `${path}-wal`;
      } catch {
        return false;
      }
    }).length;
  const before = opened();
  const unused = await openBulkWriter(path);
  expect(opened()).toBeGreaterThan(before);
  await unused.close();
  expect(opened()).toBe(before);
  const writer = await openBulkWriter(path);
  let [begin, end] = [() => {}, () => {}];
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const ended = new Promise<void>((resolve) => (end = resolve));
  const act = writer.transact(async () => {
    begin();
    await ended;
  });
  await begun;
  await writer.close();
  expect(opened()).toBe(before);
  end();
  await expect(act).rejects.toThrow();
});

test('identical rows violate the primary key, and none is stored', async () => {
  const { writer, stored } = await open();
  const twins = Array.from({ length: 16 }, () => ({ name: 'n', value: 'v', updated_at: 1 }));
  await expect(writer.transact((_, insert) => insert('site_settings', twins))).rejects.toThrow(/UNIQUE/);
  expect(await stored()).toEqual([]);
});

test('if one row cannot be stored, none is', async () => {
  const { writer, stored } = await open();
  const rows = [...settings(200), ...settings(1, 150)];
  await expect(writer.transact((_, insert) => insert('site_settings', rows))).rejects.toThrow(/UNIQUE/);
  expect(await stored()).toEqual([]);
});
