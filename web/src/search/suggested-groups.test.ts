import { expect, test } from 'vitest';
import type { TreeNode } from '@passwordbroker/core/contract/entities';
import { groupTree } from '../groups/tree/group-tree.ts';
import { groupFinder, MOST_SUGGESTED } from './find-suggestions.ts';

const node = (title: string, role: TreeNode['role'], children: TreeNode[] = []): TreeNode => ({
  entry_group_id: title.toLowerCase().replaceAll(' ', '-'),
  title,
  materialized_path: title,
  role,
  children,
});
const find = groupFinder(
  groupTree([
    node('Betrieb', 'guest', [node('Datenbanken Süd', 'member', [node('Archiv', 'moderator')])]),
    node('Süd', 'admin'),
    node(
      'Zweig',
      'admin',
      Array.from({ length: 9 }, (_, at) => node(`Blatt ${at}`, 'admin')),
    ),
  ]),
);
const titles = (query: string) => find(query).map(({ title }) => title);

test('ranks matches of the own name before those of names above, ignoring case and accents', () => {
  expect(titles('sud')).toEqual(['Datenbanken Süd', 'Süd', 'Archiv']);
  expect(find('archiv')).toEqual([
    {
      id: 'group-archiv',
      kind: 'group',
      title: 'Archiv',
      above: 'Betrieb / Datenbanken Süd',
      role: 'moderator',
      target: { address: '/entryGroup/archiv' },
    },
  ]);
});

test('leaves out guest groups; their names still match groups below', () => {
  expect(titles('betrieb')).toEqual(['Datenbanken Süd', 'Archiv']);
});

test('limits the number, and suggests nothing for blank text', () => {
  expect(titles('blatt')).toHaveLength(MOST_SUGGESTED);
  expect(titles('  ')).toEqual([]);
  expect(titles('nowhere')).toEqual([]);
});
