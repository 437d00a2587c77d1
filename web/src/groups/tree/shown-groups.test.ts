import { describe, expect, test } from 'vitest';
import { type GroupNode, showGroups, type VisibleGroup } from './group-tree.ts';

function group(id: string, children: readonly GroupNode[] = []): GroupNode {
  return { id, title: id, role: 'admin', parentId: null, children };
}
const titles = (groups: readonly VisibleGroup[] | null): unknown =>
  groups?.map((shown) => (shown.children === null ? shown.id : [shown.id, titles(shown.children)])) ?? null;

const roots = [group('a', [group('a1', [group('a11')]), group('a2')]), group('b', [group('b1')]), group('c')];

describe('shown groups', () => {
  test.each<[string[], unknown]>([
    [[], ['a', 'b', 'c']],
    [['a'], [['a', ['a1', 'a2']], 'b', 'c']],
    [
      ['a', 'a1'],
      [['a', [['a1', ['a11']], 'a2']], 'b', 'c'],
    ],
    // Expanded below a closed group: not shown, but remembered.
    [['a1'], ['a', 'b', 'c']],
    // A leaf cannot be expanded.
    [['c'], ['a', 'b', 'c']],
  ])('open %j', (open, expected) => {
    expect(titles(showGroups()(roots, new Set(open)))).toEqual(expected);
  });

  test('unchanged rows keep their identity', () => {
    const show = showGroups();
    const [a, b, c] = show(roots, new Set(['a', 'b']));
    const [a2, b2, c2] = show(roots, new Set(['a', 'b', 'a1']));
    expect(a2).not.toBe(a);
    expect(a2?.children?.[1]).toBe(a?.children?.[1]);
    expect([b2, c2]).toEqual([b, c]);
    expect(b2).toBe(b);
    expect(c2).toBe(c);
  });
});
