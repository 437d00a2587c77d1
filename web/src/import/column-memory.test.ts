import { afterEach, expect, test } from 'vitest';
import type { TableLook } from '@passwordbroker/core/domain/exchange/csv/meanings';
import { columnsFor, rememberColumns } from './column-memory.ts';

const items = new Map<string, string>();
const store = () => ({
  getItem: (key: string) => items.get(key) ?? null,
  setItem: (key: string, value: string) => void items.set(key, value),
  removeItem: (key: string) => void items.delete(key),
});
afterEach(() => items.clear());

const table = (rows: string[][], hasNames = true): TableLook => ({
  rows,
  proposed: { meanings: ['title', 'text'], separator: null, hasNames },
});
const HOSTS = table([
  ['Host', 'Zugang'],
  ['db1', 'battery-staple'],
]);
const CHOICE = { meanings: ['title', 'password'], separator: '/', hasNames: true } as const;

test('what was said about the columns is proposed for the next table with the same names', async () => {
  expect(await columnsFor(HOSTS, store)).toEqual(HOSTS.proposed);
  await rememberColumns(HOSTS, CHOICE, store);
  expect(await columnsFor(table([['Host', 'Zugang']]), store)).toEqual(CHOICE);
  const other = table([['Host', 'Access']]);
  expect(await columnsFor(other, store)).toEqual(other.proposed);
});

test('no cell is stored, and nothing of a table without names', async () => {
  await rememberColumns(HOSTS, CHOICE, store);
  await rememberColumns(table([['db2', 'canary']], false), { ...CHOICE, hasNames: false }, store);
  const stored = JSON.stringify([...items]);
  expect(stored).not.toMatch(/Host|Zugang|db1|battery|canary/);
  expect(JSON.parse(items.get('passwordbroker.columns') ?? '[]')).toHaveLength(1);
});

test.each([['{'], ['{"a":1}'], ['[1,null]'], ['[["x",{"meanings":["nonsense"]}]]']])(
  'a damaged store (%s) is ignored',
  async (text) => {
    items.set('passwordbroker.columns', text);
    expect(await columnsFor(HOSTS, store)).toEqual(HOSTS.proposed);
    await rememberColumns(HOSTS, CHOICE, store);
    expect(await columnsFor(HOSTS, store)).toEqual(CHOICE);
  },
);
