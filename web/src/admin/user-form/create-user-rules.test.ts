import { expect, test } from 'vitest';
import { EMPTY_SIGN_UP } from '../../identity/sign-up/empty-sign-up.ts';
import { pairsOf, withoutDigit } from './create-user-rules.ts';

test('each pair is judged by itself', () => {
  expect(pairsOf(EMPTY_SIGN_UP)).toEqual({ password: true, masterPassword: true });
  expect(pairsOf({ ...EMPTY_SIGN_UP, password: 'a1' })).toEqual({ password: false, masterPassword: true });
  expect(pairsOf({ ...EMPTY_SIGN_UP, masterPasswordConfirmation: 'b' })).toEqual({
    password: true,
    masterPassword: false,
  });
});

test('every field about a password is flagged while it holds something without a digit', () => {
  const form = {
    name: 'no digit',
    email: 'no.digit@example.org',
    password: 'abc',
    passwordConfirmation: 'abc1',
    masterPassword: '',
    masterPasswordConfirmation: 'xyz',
  };
  expect([...withoutDigit(form)]).toEqual(['password', 'masterPasswordConfirmation']);
});
