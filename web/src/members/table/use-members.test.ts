import { expect, test } from 'vitest';
import { membersStateOf } from './use-members.ts';

const NOTHING = { data: undefined, error: null } as const;

test('not selected → required loading → loading → loaded', () => {
  expect([
    membersStateOf(null, { ...NOTHING, fetchStatus: 'idle' }),
    membersStateOf('g', { ...NOTHING, fetchStatus: 'idle' }),
    membersStateOf('g', { ...NOTHING, fetchStatus: 'fetching' }),
    membersStateOf('g', { data: [], error: null, fetchStatus: 'idle' }),
  ]).toEqual(['not selected', 'required loading', 'loading', 'loaded']);
});

test('shows a failure, and keeps the list while it is refetched', () => {
  expect(membersStateOf('g', { data: undefined, error: new Error('x'), fetchStatus: 'idle' })).toBe('failed');
  expect(membersStateOf('g', { data: [], error: null, fetchStatus: 'fetching' })).toBe('updating');
});
