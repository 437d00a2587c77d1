import { expect, test } from 'vitest';
import type { Departure } from '@passwordbroker/client/vault/groups/people';
import { resetMembersOf } from './reset-people.ts';

const left = (
  name: string,
  group: string,
  cause: Departure['cause'],
  role: Departure['role'] = 'member',
): Departure => ({
  departure_id: `${name} ${group} ${cause}`,
  entry_group: { entry_group_id: group, name: group },
  user: { user_id: name === 'deleted' ? null : name, name },
  left_at: '',
  cause,
  role,
  open: 0,
  total: 0,
});

test('only the newest departure of a person from a group counts, and only a reset with a known role', () => {
  const newestFirst = [
    left('bob', 'Production', 'reset', 'moderator'),
    left('bob', 'Staging', 'removed'),
    left('bob', 'Staging', 'reset', 'admin'),
    left('bob', 'Production', 'removed', 'member'),
    left('dan', 'Production', 'reset', null),
    left('deleted', 'Production', 'reset'),
  ];
  expect(resetMembersOf(newestFirst)).toEqual([
    { userId: 'bob', name: 'bob', group: { id: 'Production', title: 'Production' }, role: 'moderator' },
  ]);
});
