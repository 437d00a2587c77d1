/** Nothing is sent before the rules of the site are known (decision K8). No worker runs here, so nobody knows how strong a password is. */
import { act, renderHook } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { NetworkError } from '../lib/http.ts';
import { session } from '../session/session.ts';
import type { AskPolicy } from './judge-passwords.ts';
import { useSignUp } from './use-sign-up.ts';

const FORM = {
  name: 'Ada',
  email: 'ada@example.org',
  password: 'first passphrase 1',
  passwordConfirmation: 'first passphrase 1',
  masterPassword: 'lantern moss 7',
  masterPasswordConfirmation: 'lantern moss 7',
};

test.each<[string, AskPolicy, string]>([
  ['the server does not say its rules', () => Promise.reject(new NetworkError('Network Error')), 'rules on passwords'],
  ['strict, and unknown strength', () => Promise.resolve({ password_policy: 'strict' }), 'easy to guess'],
])('%s: a sentence, and no account', async (_, ask, words) => {
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
