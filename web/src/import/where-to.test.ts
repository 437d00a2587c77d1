import { expect, test } from 'vitest';
import { choicesOf } from './where-to.tsx';

const found = { same: new Set([1, 4, 7]), elsewhere: new Map([[5, 'Mail']]), differing: null };

test('duplicates follow the choice for all, unless they have one of their own', () => {
  const each = new Map([
    [4, 'add'],
    [7, 'revise'],
  ] as const);
  expect(choicesOf(found, { forAll: 'skip', each })).toEqual({ without: [1], revise: [7] });
  expect(choicesOf(found, { forAll: 'add', each: new Map() })).toEqual({ without: [], revise: [] });
  expect(choicesOf(found, { forAll: 'revise', each: new Map([[4, 'skip']]) })).toEqual({
    without: [4],
    revise: [1, 7],
  });
});

test('equal ones are always left out; those elsewhere are added unless the person skips them', () => {
  const differing = new Map([
    [1, []],
    [4, ['PIN']],
    [7, ['Password']],
  ]);
  expect(choicesOf({ ...found, differing }, { forAll: 'add', each: new Map([[1, 'revise']]) })).toEqual({
    without: [1],
    revise: [],
  });
  expect(choicesOf({ ...found, differing }, { forAll: 'revise', each: new Map([[5, 'skip']]) })).toEqual({
    without: [1, 5],
    revise: [4, 7],
  });
});
