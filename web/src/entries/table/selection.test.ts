import { expect, test } from 'vitest';
import { all, among, extended, NOTHING_CHOSEN, ranged, toggled, type Selection } from './use-selection.ts';

const SHOWN = ['a', 'b', 'c', 'd', 'e', 'f'];
const ids = ({ chosen }: Selection) => SHOWN.filter((id) => chosen.has(id)).join('');

test('toggles single rows', () => {
  const two = toggled(toggled(NOTHING_CHOSEN, 'b'), 'd');
  expect(ids(two)).toBe('bd');
  expect(ids(toggled(two, 'b'))).toBe('d');
});

test('selects a range from the anchor in both directions; a second range replaces the first', () => {
  const anchored = toggled(toggled(NOTHING_CHOSEN, 'a'), 'c');
  expect(ids(ranged(anchored, SHOWN, 'e'))).toBe('acde');
  expect(ids(ranged(ranged(anchored, SHOWN, 'e'), SHOWN, 'b'))).toBe('abc');
});

test('a range from a deselected row deselects', () => {
  expect(ids(ranged(toggled(all(SHOWN), 'b'), SHOWN, 'd'))).toBe('aef');
});

test('without a visible anchor, a range is one row', () => {
  expect(ids(ranged(NOTHING_CHOSEN, SHOWN, 'c'))).toBe('c');
  expect(ids(ranged(toggled(NOTHING_CHOSEN, 'gone'), SHOWN, 'c'))).toBe('c');
});

test('steps with Shift extend and shrink the range, and start a new one elsewhere', () => {
  let selection = extended(toggled(NOTHING_CHOSEN, 'f'), SHOWN, 'b', 'c');
  expect(ids(selection)).toBe('bcf');
  selection = extended(selection, SHOWN, 'c', 'd');
  expect(ids(selection)).toBe('bcdf');
  selection = extended(selection, SHOWN, 'd', 'c');
  expect(ids(selection)).toBe('bcf');
  selection = extended(extended(selection, SHOWN, 'c', 'b'), SHOWN, 'b', 'a');
  expect(ids(selection)).toBe('abf');
  selection = extended(selection, SHOWN, 'd', 'e');
  expect(ids(selection)).toBe('abdef');
});

test('drops rows that are gone', () => {
  const selection = all(SHOWN);
  expect(among(selection, new Set(SHOWN))).toBe(selection);
  expect(ids(among(selection, new Set(['a', 'd'])))).toBe('ad');
});
