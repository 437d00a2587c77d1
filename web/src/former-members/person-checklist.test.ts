import { expect, test } from 'vitest';
import type { Departure, KnownValue } from '@passwordbroker/client/vault/groups/people';
import { leaversOf } from './former-member-list.tsx';
import { valuesOf } from './person-checklist.tsx';

const departure = (id: string, name: string, group = 'Production', userId: string | null = name): Departure => ({
  departure_id: id,
  entry_group: { entry_group_id: group, name: group },
  user: { user_id: userId, name },
  left_at: '',
  cause: 'removed',
  role: 'member',
  open: 0,
  total: 0,
});
const value = (fieldId: string, rev: number, changed: boolean): KnownValue => ({
  entry: { entry_id: 'e', entry_group_id: 'g', title: 'Entry' },
  field: { field_id: fieldId, title: 'Root', type: 'password' },
  rev,
  opened_at: '',
  how: 'revealed',
  changed,
  trashed: false,
});

test('people in the order of their newest departure, each once', () => {
  const all = [
    departure('4', 'bob', 'Payments'),
    departure('3', 'eve'),
    departure('2', 'bob'),
    departure('1', 'gone', 'Production', null),
  ];
  expect(
    leaversOf(all).map(({ name, departures }) => [name, departures.map(({ departure_id }) => departure_id)]),
  ).toEqual([
    ['bob', ['4', '2']],
    ['eve', ['3']],
    ['gone', ['1']],
  ]);
});

test('a value that is known twice is listed once, by the newest known revision', () => {
  const [late, early] = [departure('2', 'bob', 'Payments'), departure('1', 'bob')];
  const values = valuesOf([
    { departure: late, rows: [value('a', 3, false), value('b', 1, false)] },
    { departure: early, rows: [value('a', 2, true), value('c', 1, true)] },
  ]);
  expect(values.map(({ field, rev, changed, group }) => [field.field_id, rev, changed, group])).toEqual([
    ['a', 3, false, 'Payments'],
    ['b', 1, false, 'Payments'],
    ['c', 1, true, 'Production'],
  ]);
});
