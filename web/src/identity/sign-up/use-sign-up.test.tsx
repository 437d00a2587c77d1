/**
 * Nothing is sent before the rules of the site are known (docs/spec/decisions.md K8). No worker
 * runs here, so there is no score.
 */
import { act, renderHook } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { AppError } from '@passwordbroker/core/contract/problem';
import type { AskPolicy } from '../passwords/judge-passwords.ts';
import { linesOf, useSignUp } from './sign-up.tsx';
import { session } from '../../page/page.ts';
import { NetworkError } from '@passwordbroker/client/transport/exchange';

const FORM = {
  name: 'Ada',
  email: 'ada@example.org',
  password: 'first passphrase 1',
  passwordConfirmation: 'first passphrase 1',
  masterPassword: 'lantern moss 7',
  masterPasswordConfirmation: 'lantern moss 7',
};

test.each<[string, AskPolicy, string]>([
  ['the server does not send its rules', () => Promise.reject(new NetworkError('Network Error')), 'password rules'],
  ['strict, and unknown strength', () => Promise.resolve({ password_policy: 'strict' }), 'easy to guess'],
])('%s: shows a message and creates no account', async (_, ask, words) => {
  const sent = vi.spyOn(session, 'signUp');
  const { result } = renderHook(() => useSignUp(ask, null));
  act(() => result.current.set(FORM));
  await act(() => result.current.submit());
  expect(result.current.state).toBe('validation_returned_errors');
  expect(result.current.refusals).toEqual([expect.stringContaining(words)]);
  expect(result.current.refusals[0]).toContain('ry again');
  expect(sent).not.toHaveBeenCalled();
  sent.mockRestore();
});

test.each<[string, unknown, readonly string[]]>([
  [
    'errors, in the order of the form',
    new AppError('validation', {
      errors: {
        'user.master_password_confirmation': ['f'],
        'user.master_password': ['e'],
        'user.password_confirmation': ['d'],
        'user.password': ['c'],
        'user.email': ['b', 'b too'],
        'user.name': ['a'],
      },
    }),
    ['a', 'b', 'b too', 'c', 'd', 'e', 'f'],
  ],
  [
    'otherwise its message',
    new AppError('conflict', { message: 'Somebody signs up already' }),
    ['Somebody signs up already'],
  ],
  ["otherwise the error's own message", new NetworkError('Network Error'), ['Network Error']],
  ['otherwise a general message', new Error(''), ['Could not complete the sign up']],
])('a refused sign-up shows %s', (_, failure, lines) => {
  expect(linesOf(failure)).toEqual(lines);
});
