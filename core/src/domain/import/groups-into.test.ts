import { expect, test } from 'vitest';
import type { TreeRole } from '../policy.ts';
import { groupsInto } from './groups-into.ts';

type GroupNode = Parameters<typeof groupsInto>[1];

const node = (id: string, title: string, role: TreeRole, ...children: GroupNode[]): GroupNode => ({
  id,
  title,
  role,
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
