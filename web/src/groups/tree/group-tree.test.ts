import { describe, expect, test } from 'vitest';
import type { TreeNode } from '@passwordbroker/core/contract/entities';
import { ancestorsOf, groupsBelow, groupTree, shownRowOf, staysWhereItIs } from './group-tree.ts';

let last = 0;
function node(title: string, role: TreeNode['role'], children: TreeNode[] = []): TreeNode {
  last += 1;
  return { entry_group_id: `id-${last}-${title}`, title, materialized_path: '', role, children };
}
const idOf = (title: string) => [...tree.byId.values()].find((group) => group.title === title)?.id ?? '';

const tree = groupTree([
  node('zeta', 'member'),
  node('Group 10', 'admin'),
  node('group 9', 'admin'),
  node('Ämter', 'guest', [node('b', 'moderator', [node('deep', 'admin')]), node('A', 'member')]),
]);

describe('group tree', () => {
  test('sorts titles on every level: numbers by value, ignoring case and accents (docs/spec/decisions.md G14)', () => {
    expect(tree.roots.map((group) => group.title)).toEqual(['Ämter', 'group 9', 'Group 10', 'zeta']);
    expect(tree.roots[0]?.children.map((group) => group.title)).toEqual(['A', 'b']);
  });

  test('lists guest groups', () => {
    expect([...tree.guests]).toEqual([idOf('Ämter')]);
  });

  test.each([
    ['deep', ['Ämter', 'b']],
    ['b', ['Ämter']],
    ['zeta', []],
    ['unknown', []],
  ])('above %s: %j', (title, above) => {
    expect(ancestorsOf(tree, idOf(title)).map((group) => group.title)).toEqual(above);
  });

  test.each<[string, string[], number]>([
    ['Ämter', [], 0],
    ['zeta', [], 3],
    ['zeta', ['Ämter'], 5],
    ['deep', ['Ämter', 'b'], 3],
    ['deep', ['Ämter'], -1],
  ])('row of %s with %j open: %i', (title, open, row) => {
    expect(shownRowOf(tree, new Set(open.map(idOf)), idOf(title))).toBe(row);
  });

  test('returns a group with all groups below it', () => {
    const top = tree.byId.get(idOf('Ämter'));
    expect(
      top === undefined ? [] : [...groupsBelow(top)].map((id) => tree.byId.get(id)?.title ?? '').toSorted(),
    ).toEqual(['A', 'b', 'deep', 'Ämter']);
  });

  test.each<[string, string | null, boolean]>([
    ['b', 'b', true],
    ['b', 'deep', true],
    ['Ämter', 'deep', true],
    ['deep', 'b', true],
    ['zeta', null, true],
    ['deep', null, false],
    ['deep', 'Ämter', false],
    ['A', 'deep', false],
    ['zeta', 'b', false],
  ])('moving %s to %s changes nothing: %s', (title, target, stays) => {
    const group = tree.byId.get(idOf(title));
    if (group === undefined) throw new Error(title);
    expect(staysWhereItIs(tree, group, target === null ? null : idOf(target))).toBe(stays);
  });
});
