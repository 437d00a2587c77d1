import { expect, test } from 'vitest';
import { type AuthEvent, type AuthStatus, afterEvent } from './auth-status.ts';

test.each<[AuthStatus, AuthEvent, AuthStatus]>([
  ['loading', 'guest', 'login'],
  ['loading', 'loggedIn', 'logged-in'],
  ['loading', 'firstUser', 'signup'],
  ['loading', 'check failed', 'login'],
  ['login', 'signed in', 'logged-in'],
  ['login', 'check', 'loading'],
  ['signup', 'signed in', 'logged-in'],
  ['signup', 'check', 'loading'],
  ['logged-in', 'logged out', 'login'],
  ['logged-in', 'check', 'loading'],
  ['loading', 'unreachable', 'network_error'],
  ['network_error', 'check', 'loading'],
  ['network_error', 'logged out', 'login'],
  ['signup', 'recover', 'initial recovery'],
  ['initial recovery', 'recovered', 'login'],
  ['initial recovery', 'check', 'loading'],
  // From this state a person may still sign up as the first user.
  ['initial recovery', 'signed in', 'logged-in'],
  // Unexpected events change nothing.
  ['loading', 'signed in', 'loading'],
  ['logged-in', 'guest', 'logged-in'],
  ['login', 'firstUser', 'login'],
  ['login', 'recover', 'login'],
  ['logged-in', 'recover', 'logged-in'],
  ['signup', 'recovered', 'signup'],
])('%s, %s → %s', (status, event, next) => {
  expect(afterEvent(status, event)).toBe(next);
});
