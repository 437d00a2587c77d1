import { expect, test } from 'vitest';
import { RememberedTrees } from './remembered-trees.ts';

const tree = (bytes: number) => ({ own: '', above: '', idsAbove: [], body: Buffer.alloc(bytes) });

test('what was kept longest goes when there is too much, and what is too much by itself is not kept', () => {
  const trees = new RememberedTrees(100);
  const kept = () => ['a', 'b', 'c'].filter((name) => trees.find(name) !== undefined);
  trees.keep('a', tree(40));
  trees.keep('b', tree(40));
  expect(kept()).toEqual(['a', 'b']);
  trees.keep('a', tree(50));
  expect([kept(), trees.find('a')?.body.length]).toEqual([['a', 'b'], 50]);
  trees.keep('c', tree(40));
  expect(kept()).toEqual(['a', 'c']);
  trees.keep('b', { ...tree(0), own: 'two bytes a letter, more than there is room for beside' });
  expect(kept()).toEqual([]);
  trees.keep('c', tree(100));
  expect(kept()).toEqual(['c']);
});
