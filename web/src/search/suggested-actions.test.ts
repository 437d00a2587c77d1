import { expect, test } from 'vitest';
import { suggestActions, type Present } from './find-suggestions.ts';

const PRESENT: Present = { theme: 'dark', isUnlocked: true, canWrite: true, site: 'none' };
const titles = (query: string, change: Partial<Present> = {}) =>
  suggestActions(query, { ...PRESENT, ...change }).map(({ title }) => title);

test.each([
  ['tree add', ['add new tree']],
  ['THEME', ['Light theme']],
  ['lo', ['New login', 'Lock now', 'Activity log', 'Logout']],
  ['nothing like it', []],
])('%s', (query, expected) => {
  expect(titles(query)).toEqual(expected);
});

test('leaves out actions that are not possible now', () => {
  expect(titles('lock', { isUnlocked: false })).toEqual(['Unlock the vault']);
  expect(titles('tree', { canWrite: false })).toEqual([]);
  expect(titles('theme', { theme: 'light' })).toEqual(['Dark theme']);
});

test('blank text finds all, each once', () => {
  const ids = suggestActions('', PRESENT).map(({ id }) => id);
  expect(new Set(ids).size).toBe(13);
  expect(ids.every((id) => /^[a-z-]+$/.test(id))).toBe(true);
});

test('names each admin page that the person may open', () => {
  expect(titles('admin panel')).toEqual(['Admin Panel']);
  const read = titles('admin panel', { site: 'read' });
  expect(read).toContain('Admin Panel: Invitations');
  expect(read).not.toContain('Admin Panel: Create User');
  expect(titles('admin panel', { site: 'change' })).toContain('Admin Panel: Create User');
  expect(titles('admin', { site: 'change', canWrite: false })).toEqual([]);
  const ids = suggestActions('', { ...PRESENT, site: 'change' }).map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});
