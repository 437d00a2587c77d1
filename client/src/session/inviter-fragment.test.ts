import { expect, test } from 'vitest';
import { inviterIn, withInviter, withoutFragment } from './inviter-fragment.ts';

const inviter = { userId: '0190a1b2-0000-7000-8000-00000000dead', name: 'Ada & “Co” #1', fingerprint: 'ab'.repeat(32) };

test('the key of the inviter is read from the link unchanged', () => {
  const link = withInviter('https://example.org/identity/invite/token', inviter);
  expect(inviterIn(new URL(link).hash)).toEqual(inviter);
  expect(new URL(link).pathname).toBe('/identity/invite/token');
});

test('a key that the server appended to the link is ignored', () => {
  const evil = { ...inviter, fingerprint: 'ee'.repeat(32) };
  const fromServer = withInviter('https://example.org/identity/invite/token', evil);
  expect(withoutFragment(fromServer)).toBe('https://example.org/identity/invite/token');
  expect(withoutFragment(`${fromServer}\n#more`)).toBe('https://example.org/identity/invite/token');
  expect(inviterIn(new URL(withInviter(withoutFragment(fromServer), inviter)).hash)).toEqual(inviter);
});

test('any other fragment of the link contains no key', () => {
  const { hash } = new URL(withInviter('https://example.org/', inviter));
  expect(inviterIn('')).toBeNull();
  expect(inviterIn('#top')).toBeNull();
  expect(inviterIn(hash.replace('abab', 'zzzz'))).toBeNull();
  expect(inviterIn(hash.replace(/name=[^&]*/, 'name='))).toBeNull();
  expect(inviterIn(hash.replace('0190a1b2', 'x'))).toBeNull();
});
