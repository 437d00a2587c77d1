import { describe, expect, test } from 'vitest';
import { ancestorsOf, buildTrees, compareTitles, depthOf, idOf, isWithin, parentIdOf } from './group-tree.ts';

const sorted = (titles: string[]) =>
  titles
    .map((title, at) => ({ title, id: String(at) }))
    .sort(compareTitles)
    .map(({ title }) => title);

describe('order of titles', () => {
  test.each([
    [
      ['b', 'a', 'C'],
      ['a', 'b', 'C'],
    ],
    [
      ['Server 10', 'Server 9', 'server 1'],
      ['server 1', 'Server 9', 'Server 10'],
    ],
    [
      ['Zürich', 'Zagreb', 'zug'],
      ['Zagreb', 'zug', 'Zürich'],
    ],
    [
      ['é', 'f', 'e'],
      ['é', 'e', 'f'],
    ],
  ])('%j', (titles, order) => {
    expect(sorted(titles)).toEqual(order);
  });

  test('equal titles: by id', () => {
    expect(
      [
        { title: 'a', id: '2' },
        { title: 'A', id: '1' },
      ]
        .sort(compareTitles)
        .map(({ id }) => id),
    ).toEqual(['1', '2']);
  });
});

describe('trees', () => {
  const row = (path: string, role: 'admin' | 'member' | null = 'admin') => ({ title: idOf(path), path, role });

  test('nested, every level sorted, guests on the way', () => {
    const trees = buildTrees([row('a.b.c'), row('a.b', null), row('a', null), row('a.b2', 'member')]);
    expect(trees).toHaveLength(1);
    expect(trees[0]).toMatchObject({
      id: 'a',
      role: 'guest',
      children: [
        { id: 'b', role: 'guest', children: [{ id: 'c', role: 'admin' }] },
        { id: 'b2', role: 'member', children: [] },
      ],
    });
  });

  test('a row whose parent is not there is a root; nothing is lost', () => {
    expect(buildTrees([row('gone.x')]).map(({ id }) => id)).toEqual(['x']);
    expect(buildTrees([])).toEqual([]);
  });

  test('ten thousand groups', () => {
    const paths = ['g0'];
    for (let at = 1; at < 10_000; at += 1) paths.push(`${paths[Math.floor((at - 1) / 10)]}.g${at}`);
    const rows = paths.map((path) => row(path));
    const count = (nodes: ReturnType<typeof buildTrees>): number =>
      nodes.reduce((sum, node) => sum + 1 + count(node.children), 0);
    expect(count(buildTrees(rows))).toBe(10_000);
    expect(buildTrees(rows)).toHaveLength(1);
  });
});

describe('paths', () => {
  test.each([
    ['a.b.c', 'a', true],
    ['a.b.c', 'c', true],
    ['a.bb', 'b', false],
    ['aa.b', 'a', false],
    ['a', 'b', false],
  ])('%s within %s: %s', (path, id, is) => {
    expect(isWithin(path, id)).toBe(is);
  });

  test('the group itself and the one above it', () => {
    expect(['a.b.c', 'a.b', 'a'].map((path) => [idOf(path), parentIdOf(path)])).toEqual([
      ['c', 'b'],
      ['b', 'a'],
      ['a', null],
    ]);
  });

  test('ancestors and depth', () => {
    expect(ancestorsOf('a.b.c')).toEqual(['a', 'b']);
    expect(ancestorsOf('a')).toEqual([]);
    expect(depthOf('a.b.c')).toBe(3);
  });
});
