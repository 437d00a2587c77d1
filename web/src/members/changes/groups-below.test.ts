import { expect, test } from 'vitest';
import type { TreeNode } from '@passwordbroker/core/contract/entities';
import { groupTree } from '../../groups/tree/group-tree.ts';
import { adminGroupsBelow } from './over-groups.ts';

const node = (title: string, role: TreeNode['role'], children: TreeNode[] = []): TreeNode => ({
  entry_group_id: title,
  title,
  materialized_path: title,
  role,
  children,
});

test('lists only groups where the person is admin, also below others, without the group itself and its siblings', () => {
  const tree = groupTree([
    node('root', 'admin', [
      node('a', 'admin', [node('a1', 'member', [node('a11', 'admin')])]),
      node('b', 'moderator', [node('b1', 'guest', [node('b11', 'admin')])]),
    ]),
    node('other', 'admin'),
  ]);
  expect(adminGroupsBelow(tree, 'root').map(({ id }) => id)).toEqual(['a', 'a11', 'b11']);
  expect(adminGroupsBelow(tree, 'a11')).toEqual([]);
  expect(adminGroupsBelow(tree, 'unknown')).toEqual([]);
  expect(adminGroupsBelow(null, 'root')).toEqual([]);
});
