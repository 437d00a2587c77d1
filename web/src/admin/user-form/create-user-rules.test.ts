import { expect, test } from 'vitest';
import { EMPTY_SIGN_UP } from '../../identity/passwords/judge-passwords.ts';
import { pairsOf, withoutDigit } from './create-user.ts';

test('compares each pair separately', () => {
  expect(pairsOf(EMPTY_SIGN_UP)).toEqual({ password: true, masterPassword: true });
  expect(pairsOf({ ...EMPTY_SIGN_UP, password: 'a1' })).toEqual({ password: false, masterPassword: true });
  expect(pairsOf({ ...EMPTY_SIGN_UP, masterPasswordConfirmation: 'b' })).toEqual({
    password: true,
    masterPassword: false,
  });
});

test('flags every non-empty password field without a digit', () => {
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
