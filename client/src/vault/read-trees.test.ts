import { expect, test } from 'vitest';
import { readTrees } from './online.ts';

const node = (title: string, children: readonly unknown[] = []) => ({
  entry_group_id: `id of ${title}`,
  title,
  materialized_path: title,
  role: 'admin',
  children,
});

test('trees are read unchanged, every level in its order', async () => {
  const trees = [node('a', [node('a1', [node('a11')]), node('a2')]), node('b')];
  expect(await readTrees(trees)).toEqual(trees);
  const wide = [
    node(
      'root',
      Array.from({ length: 1000 }, (_, at) => node(String(at))),
    ),
  ];
  expect(await readTrees(wide)).toEqual(wide);
  expect(await readTrees([])).toEqual([]);
});

test('unknown members are dropped, and invalid nodes are refused', async () => {
  expect(await readTrees([{ ...node('a'), secret: 'x' }])).toEqual([node('a')]);
  for (const bad of [null, 'x', { ...node('a'), role: 'owner' }, { ...node('a'), children: null }, { title: 'a' }]) {
    await expect(readTrees([node('top', [bad])])).rejects.toMatchObject({ name: 'AnswerError' });
  }
});
