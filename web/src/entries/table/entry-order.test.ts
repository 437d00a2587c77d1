import { expect, test } from 'vitest';
import { UNMARKED } from '@passwordbroker/core/domain/entry-marks';
import { BY_TITLE, ordered, orderAfter } from './entry-order.ts';

const entry = (title: string, created: string, updated: string, login: string | null) => ({
  entry_id: title,
  entry_group_id: 'g',
  title,
  login,
  ...UNMARKED,
  created_at: `2026-01-${created}T00:00:00.000Z`,
  updated_at: `2026-02-${updated}T00:00:00.000Z`,
});
const byTitle = [
  entry('Alpha', '03', '01', 'root'),
  entry('Beta', '01', '02', null),
  entry('Gamma', '03', '03', 'Ada'),
];
const titles = (...order: Parameters<typeof ordered>) => ordered(...order).map(({ title }) => title);

test.each([
  ['title', false, ['Alpha', 'Beta', 'Gamma']],
  ['title', true, ['Gamma', 'Beta', 'Alpha']],
  ['created_at', false, ['Beta', 'Alpha', 'Gamma']],
  ['created_at', true, ['Alpha', 'Gamma', 'Beta']],
  ['updated_at', false, ['Alpha', 'Beta', 'Gamma']],
  ['updated_at', true, ['Gamma', 'Beta', 'Alpha']],
  ['login', false, ['Gamma', 'Alpha', 'Beta']],
  ['login', true, ['Alpha', 'Gamma', 'Beta']],
] as const)('by %s, descending %s', (column, isDescending, expected) => {
  expect(titles(byTitle, { column, isDescending })).toEqual(expected);
});

test('the same column reverses the order; a date column starts with the newest', () => {
  expect(orderAfter(BY_TITLE, 'login')).toEqual({ column: 'login', isDescending: false });
  expect(orderAfter(BY_TITLE, 'title')).toEqual({ column: 'title', isDescending: true });
  expect(orderAfter(BY_TITLE, 'updated_at')).toEqual({ column: 'updated_at', isDescending: true });
  expect(orderAfter({ column: 'updated_at', isDescending: true }, 'title')).toEqual(BY_TITLE);
});

test('does not sort in place', () => {
  ordered(byTitle, { column: 'updated_at', isDescending: true });
  expect(byTitle.map(({ title }) => title)).toEqual(['Alpha', 'Beta', 'Gamma']);
});
