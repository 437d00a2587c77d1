import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ancestorsOf, compareTitles, depthOf, idOf, isWithin, parentIdOf } from './group-tree.ts';

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

  test('equal titles are sorted by id', () => {
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

test('the fast path agrees with the collator', () => {
  const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
  const letters = fc.constantFrom(...'abklyzABKLYZ09 ·.-_@[`{éÉßłøñж日\u0301\u00ad');
  const texts = fc.string({ unit: letters, maxLength: 6 });
  fc.assert(
    fc.property(texts, texts, (a, b) => {
      const asKnown = Math.sign(collator.compare(a, b));
      expect(Math.sign(compareTitles({ title: a, id: '' }, { title: b, id: '' }))).toBe(asKnown);
    }),
    { numRuns: 5000 },
  );
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

  test('returns the id of a group and of its parent', () => {
    expect(['a.b.c', 'a.b', 'a'].map((path) => [idOf(path), parentIdOf(path)])).toEqual([
      ['c', 'b'],
      ['b', 'a'],
      ['a', null],
    ]);
  });

  test('returns ancestors and depth', () => {
    expect(ancestorsOf('a.b.c')).toEqual(['a', 'b']);
    expect(ancestorsOf('a')).toEqual([]);
    expect(depthOf('a.b.c')).toBe(3);
  });
});
