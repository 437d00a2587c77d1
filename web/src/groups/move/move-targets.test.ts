import { expect, test } from 'vitest';
import type { TreeNode } from '@passwordbroker/core/contract/entities';
import { groupTree } from '../tree/group-tree.ts';
import { groupMoveTargets, moveTargets, ROOT } from '../../entries/group-picker/find-targets.ts';

const node = (title: string, role: TreeNode['role'], children: TreeNode[] = []): TreeNode => ({
  entry_group_id: title,
  title,
  materialized_path: '',
  role,
  children,
});
const tree = groupTree([
  node('Engineering', 'guest', [
    node('Databases', 'admin', [
      node('Production', 'admin', [node('Replica', 'member')]),
      node('Staging', 'moderator'),
    ]),
  ]),
  node('Marketing', 'admin'),
]);
const groupTargets = (id: string) => {
  const group = tree.byId.get(id);
  return group === undefined ? [] : groupMoveTargets(tree, group).map((target) => target.id);
};

test('entries can go to every group except their own', () => {
  expect(moveTargets(tree, 'Staging').map(({ title, above }) => [title, above])).toEqual([
    ['Engineering', ''],
    ['Databases', 'Engineering'],
    ['Production', 'Engineering / Databases'],
    ['Replica', 'Engineering / Databases / Production'],
    ['Marketing', ''],
  ]);
});

test.each([
  ['Production', [ROOT, 'Engineering', 'Staging', 'Marketing']],
  ['Marketing', ['Engineering', 'Databases', 'Production', 'Replica', 'Staging']],
  ['Databases', [ROOT, 'Marketing']],
])('%s can move neither to itself, to a group below it, nor to its present parent', (id, targets) => {
  expect(groupTargets(id)).toEqual(targets);
});
