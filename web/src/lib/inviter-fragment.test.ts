import { expect, test } from 'vitest';
import { inviterIn, withInviter } from './inviter-fragment.ts';

const inviter = { userId: '0190a1b2-0000-7000-8000-00000000dead', name: 'Ada & “Co” #1', fingerprint: 'ab'.repeat(32) };

test('the key of the inviter comes out of the link as it went in', () => {
  const link = withInviter('https://example.org/identity/invite/token', inviter);
  expect(inviterIn(new URL(link).hash)).toEqual(inviter);
  expect(new URL(link).pathname).toBe('/identity/invite/token');
});

test('anything else behind the link is no key', () => {
  const { hash } = new URL(withInviter('https://example.org/', inviter));
  expect(inviterIn('')).toBeNull();
  expect(inviterIn('#top')).toBeNull();
  expect(inviterIn(hash.replace('abab', 'zzzz'))).toBeNull();
  expect(inviterIn(hash.replace(/name=[^&]*/, 'name='))).toBeNull();
  expect(inviterIn(hash.replace('0190a1b2', 'x'))).toBeNull();
});
