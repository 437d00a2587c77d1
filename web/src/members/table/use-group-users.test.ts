import { expect, test } from 'vitest';
import { usersStateOf } from './use-group-users.ts';

const NOTHING = { data: undefined, error: null } as const;

test('not selected → required loading → loading → loaded', () => {
  expect([
    usersStateOf(null, { ...NOTHING, fetchStatus: 'idle' }),
    usersStateOf('g', { ...NOTHING, fetchStatus: 'idle' }),
    usersStateOf('g', { ...NOTHING, fetchStatus: 'fetching' }),
    usersStateOf('g', { data: [], error: null, fetchStatus: 'idle' }),
  ]).toEqual(['not selected', 'required loading', 'loading', 'loaded']);
});

test('shows a failure, and keeps the list while it is refetched', () => {
  expect(usersStateOf('g', { data: undefined, error: new Error('x'), fetchStatus: 'idle' })).toBe('failed');
  expect(usersStateOf('g', { data: [], error: null, fetchStatus: 'fetching' })).toBe('updating');
});
