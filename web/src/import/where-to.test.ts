import { expect, test } from 'vitest';
import { choicesOf, chosenForAll, countsOf } from './where-to.tsx';

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

test('another choice for all keeps what was chosen for those elsewhere', () => {
  const each = new Map([
    [4, 'add'],
    [5, 'skip'],
  ] as const);
  const next = chosenForAll(found, { forAll: 'skip', each }, 'revise');
  expect(next).toEqual({ forAll: 'revise', each: new Map([[5, 'skip']]) });
  expect(choicesOf(found, next)).toEqual({ without: [5], revise: [1, 4, 7] });
});

test('entries that were not compared count neither as equal nor as differing', () => {
  const differing = new Map<number, string[]>([
    [1, []],
    [4, ['PIN']],
  ]);
  expect(countsOf(differing)).toEqual([1, 1]);
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
