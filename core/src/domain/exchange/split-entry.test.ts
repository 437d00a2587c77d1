/** Entries above the size limits are split into several (T144). */
import { expect, test } from 'vitest';
import { treeOf } from '../../testing/keepass/keepass-tree.ts';
import { textSize, LIMITS } from '../limits.ts';
import { splitEntry } from './split-entry.ts';
import type { TreeField } from './tree.ts';

const note = (title: string): TreeField => ({
  type: 'note',
  revisions: [{ content: { type: 'note', title, value: 'x' }, at: null }],
});
const entryOf = (title: string, fields: readonly TreeField[]) => ({
  group: 0,
  title,
  tags: ['kept'],
  expires: 3,
  created: 1,
  modified: 2,
  fields,
});
const notes = (count: number, title = 'Note') => Array.from({ length: count }, (_, at) => note(`${title} ${at}`));

test('an entry of 500 fields stays as it is', () => {
  const entry = entryOf('Entry', notes(LIMITS.entryFields));
  expect(splitEntry(entry)).toEqual([entry]);
});

test('T144: an entry of 1,201 fields becomes three, with all fields in order', () => {
  const fields = notes(1201);
  const parts = splitEntry(entryOf('Entry', fields));
  expect(parts.map(({ title, fields: own }) => [title, own.length])).toEqual([
    ['Entry', 500],
    ['Entry (2)', 500],
    ['Entry (3)', 201],
  ]);
  expect(parts.flatMap(({ fields: own }) => own)).toEqual(fields);
  for (const part of parts) {
    expect(part).toMatchObject({ group: 0, tags: ['kept'], expires: 3, created: 1, modified: 2 });
  }
});

test('T144: an entry with too long titles, logins and file names is split, too', () => {
  const password: TreeField = {
    type: 'password',
    revisions: [
      { content: { type: 'password', title: 'Password', login: 'x'.repeat(LIMITS.login), value: '' }, at: null },
    ],
  };
  const file: TreeField = {
    type: 'file',
    revisions: [
      {
        content: { type: 'file', title: 'File', name: 'n'.repeat(LIMITS.fileName), bytes: new Uint8Array(1) },
        at: null,
      },
    ],
  };
  const parts = splitEntry(
    entryOf('T'.repeat(LIMITS.title), [...Array<TreeField>(40).fill(password), ...Array<TreeField>(40).fill(file)]),
  );
  expect(parts.length).toBeGreaterThan(4);
  expect(parts.flatMap(({ fields }) => fields)).toHaveLength(80);
  for (const { title, fields } of parts) {
    expect(title.length).toBeLessThanOrEqual(LIMITS.title);
    expect(textSize({ title }) + fields.length * (LIMITS.login + 4)).toBeLessThanOrEqual(LIMITS.entryText);
  }
  expect(parts[1]?.title).toMatch(/T… \(2\)$/);
});

test('T144: the import reports entries that were split', async () => {
  const strings = Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`Name ${at}`, 'value']));
  const tree = await treeOf({ entries: [{ title: 'Many', strings }, { title: 'Few' }] });
  expect(tree.entries.map(({ title, fields }) => [title, fields.length])).toEqual([
    ['Many', 500],
    ['Many (2)', 100],
    ['Few', 0],
  ]);
  expect(tree.skipped).toEqual([
    { kind: 'entry', reason: 'too large for one entry, so it continues in “Title (2)”', count: 1 },
  ]);
});
