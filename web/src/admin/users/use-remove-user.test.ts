import { AppError } from '@passwordbroker/core/contract/problem';
import { expect, test } from 'vitest';
import { soleGroupsOf } from './use-users.ts';

const GROUP = { entry_group_id: 'g', name: 'Production', members: 3 };

test('only a conflict that names groups asks a second time', () => {
  expect(soleGroupsOf(new AppError('conflict', { details: { groups: [GROUP] } }))).toEqual([GROUP]);
  expect(soleGroupsOf(new AppError('conflict', { message: 'You cannot delete your own account' }))).toBeNull();
  expect(soleGroupsOf(new AppError('conflict', { details: { groups: [{ name: 'Production' }] } }))).toBeNull();
  expect(soleGroupsOf(new AppError('forbidden', { details: { groups: [GROUP] } }))).toBeNull();
  expect(soleGroupsOf(new TypeError('failed'))).toBeNull();
});
