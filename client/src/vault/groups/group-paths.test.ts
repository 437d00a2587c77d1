import { expect, test } from 'vitest';
import type { TreeNode } from '@passwordbroker/core/contract/entities';
import { groupPaths } from './group-paths.ts';

const node = (id: string, children: TreeNode[] = []): TreeNode => ({
  entry_group_id: id,
  title: `Group ${id}`,
  materialized_path: id,
  role: 'admin',
  children,
});

test('a tree that contains a group below itself has finite paths, each from the first place of the group', async () => {
  const trees = [node('a', [node('b', [node('a', [node('c')])])]), node('b', [node('a')])];
  const paths = groupPaths(
    () => Promise.resolve(trees),
    () => undefined,
  );
  expect(await paths.pathOf('a')).toEqual(['Group a']);
  expect(await paths.pathOf('b')).toEqual(['Group b']);
  expect(await paths.parentsOf('a')).toEqual([]);
  expect(paths.below('a')).toEqual(['a']);
});
