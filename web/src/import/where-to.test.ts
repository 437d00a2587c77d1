import { expect, test } from 'vitest';
import { choicesOf } from './where-to.tsx';

test('duplicates follow the choice for all, unless they have one of their own', () => {
  const same = new Set([1, 4, 7]);
  const each = new Map([
    [4, 'add'],
    [5, 'revise'],
    [7, 'revise'],
  ] as const);
  expect(choicesOf(same, { forAll: 'skip', each })).toEqual({ without: [1], revise: [7] });
  expect(choicesOf(same, { forAll: 'add', each: new Map() })).toEqual({ without: [], revise: [] });
  expect(choicesOf(same, { forAll: 'revise', each: new Map([[4, 'skip']]) })).toEqual({ without: [4], revise: [1, 7] });
});
