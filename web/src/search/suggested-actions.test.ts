import { expect, test } from 'vitest';
import { suggestActions, type Present } from './find-suggestions.ts';

const PRESENT: Present = { theme: 'dark', isUnlocked: true, canWrite: true };
const titles = (query: string, change: Partial<Present> = {}) =>
  suggestActions(query, { ...PRESENT, ...change }).map(({ title }) => title);

test.each([
  ['tree add', ['add new tree']],
  ['THEME', ['Light theme']],
  ['lo', ['Lock now', 'Activity log', 'Logout']],
  ['nothing like it', []],
])('%s', (query, expected) => {
  expect(titles(query)).toEqual(expected);
});

test('leaves out actions that are not possible now', () => {
  expect(titles('lock', { isUnlocked: false })).toEqual([]);
  expect(titles('tree', { canWrite: false })).toEqual([]);
  expect(titles('theme', { theme: 'light' })).toEqual(['Dark theme']);
});

test('blank text finds all, each once', () => {
  const ids = suggestActions('', PRESENT).map(({ id }) => id);
  expect(new Set(ids).size).toBe(9);
  expect(ids.every((id) => /^[a-z-]+$/.test(id))).toBe(true);
});
