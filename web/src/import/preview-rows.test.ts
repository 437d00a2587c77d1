import { expect, test } from 'vitest';
import { openAtFirst, previewRows, previewTree } from './preview-rows.ts';

const FILE = {
  groups: [
    { name: '', parent: null },
    { name: 'Servers', parent: 0 },
    { name: 'Old', parent: 1 },
    { name: 'Empty', parent: 0 },
  ],
  entries: [
    { group: 0, title: 'a', kinds: 1, fields: 1 },
    { group: 2, title: 'b', kinds: 1, fields: 1 },
    { group: 1, title: 'c', kinds: 1, fields: 1 },
  ],
};

test('groups count the entries below them; rows are those of open groups, groups first', () => {
  const tree = previewTree(FILE);
  expect(tree.counts).toEqual([3, 2, 1, 0]);
  const rows = previewRows(tree, new Set([0, 1]));
  expect(rows.map(({ key, level, position, siblings }) => [key, level, position, siblings])).toEqual([
    ['g0', 1, 1, 1],
    ['g1', 2, 1, 3],
    ['g2', 3, 1, 2],
    ['e2', 3, 2, 2],
    ['g3', 2, 2, 3],
    ['e0', 2, 3, 3],
  ]);
  expect(previewRows(tree, new Set()).map(({ key }) => key)).toEqual(['g0']);
});

test('a small file is shown whole, a large one by its first group', () => {
  expect([...openAtFirst(previewTree(FILE))]).toEqual([0, 1, 2, 3]);
  const many = Array.from({ length: 50 }, () => ({ group: 1, title: 'x', kinds: 1, fields: 1 }));
  expect([...openAtFirst(previewTree({ ...FILE, entries: many }))]).toEqual([0]);
});
