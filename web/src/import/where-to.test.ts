import { expect, test } from 'vitest';
import type { GroupNode } from '../groups/tree/group-tree.ts';
import { groupsInto, leftOut } from './where-to.tsx';

const node = (id: string, title: string, role: GroupNode['role'], ...children: GroupNode[]): GroupNode => ({
  id,
  title,
  role,
  parentId: null,
  children,
});
const TARGET = node(
  't',
  'Team',
  'admin',
  node('s', 'Servers', 'moderator', node('d', ' Databases ', 'moderator')),
  node('r', 'Read only', 'member'),
);
const group = (name: string, parent: number | null) => ({ name, parent });

test('groups of the same path are used once; those in which nothing may be added are passed over', () => {
  const groups = [
    group('', null),
    group('Servers', 0),
    group('Databases', 1),
    group('Databases', 0),
    group('Read only', 0),
    group('Servers', 0),
  ];
  expect(groupsInto(groups, TARGET)).toEqual(['t', 's', 'd', null, null, null]);
});

test('duplicates follow the choice for all, except those with the other choice', () => {
  const same = new Set([1, 4, 7]);
  expect(leftOut(same, 'skip', new Set([4]))).toEqual([1, 7]);
  expect(leftOut(same, 'add', new Set([4]))).toEqual([4]);
  expect(leftOut(same, 'add', new Set([5]))).toEqual([]);
});
