import { AppError } from '@passwordbroker/core/contract/problem';
import { expect, test } from 'vitest';
import { passwordProblem } from './verify-dialog.tsx';

const WRONG = 'The backup needs a password or the password is wrong.';

test('asks again after a wrong password and reports other errors', () => {
  expect(passwordProblem(new AppError('validation', { errors: { password: [WRONG] } }))).toBe(WRONG);
  expect(passwordProblem(new AppError('validation', { errors: { id: ['?'] } }))).toBeNull();
  expect(passwordProblem(new AppError('conflict', { message: 'The backup is damaged' }))).toBeNull();
  expect(passwordProblem(new AppError('too_many_requests'))).toBeNull();
  expect(passwordProblem(new TypeError('Failed to fetch'))).toBeNull();
});
