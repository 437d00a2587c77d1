import { describe, expect, test } from 'vitest';
import type { TreeNode } from '@passwordbroker/core/contract/entities';
import { idOf } from '@passwordbroker/core/domain/groups/group-tree';
import type { TreeRole } from '@passwordbroker/core/domain/policy';
import { Forest } from './tree.ts';

const forestOf = (...groups: readonly (readonly [path: string, role?: TreeRole])[]) => {
  const forest = new Forest();
  for (const [path, role = 'admin'] of groups) forest.add(path, JSON.stringify(idOf(path)), role);
  return forest;
};
const grown = (forest: Forest) => JSON.parse(forest.toJson()) as TreeNode[];

test('trees are nested, every level is sorted, and missing roles are guests', () => {
  const trees = grown(forestOf(['a.b.c'], ['a.b2', 'member'], ['a.b', 'guest'], ['a', 'guest']));
  expect(trees).toEqual([
    {
      entry_group_id: 'a',
      title: 'a',
      materialized_path: 'a',
      role: 'guest',
      children: [
        {
          entry_group_id: 'b',
          title: 'b',
          materialized_path: 'a.b',
          role: 'guest',
          children: [{ entry_group_id: 'c', title: 'c', materialized_path: 'a.b.c', role: 'admin', children: [] }],
        },
        { entry_group_id: 'b2', title: 'b2', materialized_path: 'a.b2', role: 'member', children: [] },
      ],
    },
  ]);
});

test('a group with a missing parent becomes a root, and no group is lost', () => {
  expect(grown(forestOf(['gone.x'])).map((node) => node.entry_group_id)).toEqual(['x']);
  expect(new Forest().toJson()).toBe('[]');
});

test('idsAbove lists missing ancestors once, and they can be added later', () => {
  expect(new Forest().idsAbove()).toEqual([]);
  expect(forestOf(['a'], ['a.b'], ['a.b.c']).idsAbove()).toEqual([]);
  const forest = forestOf(['a.b.c.d.e'], ['a.b.c'], ['a.b.x'], ['z.y']);
  expect(forest.idsAbove().sort()).toEqual(['a', 'b', 'd', 'z']);
  for (const path of ['a.b', 'a', 'a.b.c.d', 'z']) forest.add(path, JSON.stringify(idOf(path)), 'guest');
  expect(forest.idsAbove()).toEqual([]);
  const outline = (nodes: readonly TreeNode[]): unknown =>
    nodes.map(({ entry_group_id, children }) => [entry_group_id, outline(children)]);
  expect(outline(grown(forest))).toEqual([
    [
      'a',
      [
        [
          'b',
          [
            ['c', [['d', [['e', []]]]]],
            ['x', []],
          ],
        ],
      ],
    ],
    ['z', [['y', []]]],
  ]);
  expect([...forest.ids()].sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'x', 'y', 'z']);
});

describe('titles', () => {
  test('are sorted by their text, not by their JSON', () => {
    const titles = ['b', '"quoted"', 'a\\b', 'Ünï', 'tab\there', 'Server 10', 'Server 9', '\u007f', '日本'];
    const forest = new Forest();
    for (const [at, title] of titles.entries()) forest.add(`id${at}`, JSON.stringify(title), 'admin');
    const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
    expect(grown(forest).map(({ title }) => title)).toEqual(titles.toSorted((a, b) => collator.compare(a, b)));
  });
});

test('10,000 groups', () => {
  const paths = ['g0'];
  for (let at = 1; at < 10_000; at += 1) paths.push(`${paths[Math.floor((at - 1) / 10)]}.g${at}`);
  const trees = grown(forestOf(...paths.map((path) => [path] as const)));
  const count = (nodes: readonly TreeNode[]): number =>
    nodes.reduce((sum, { children }) => sum + 1 + count(children), 0);
  expect([count(trees), trees.length]).toEqual([10_000, 1]);
});
