/** Digests of the server: RFC 4231, FIPS 180-4. */
import { expect, test } from 'vitest';
import { authenticate, digest, sameText } from './digests.node.ts';

test('SHA-256 of a text and of its bytes', () => {
  const expected = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  expect(digest('abc').toString('hex')).toBe(expected);
  expect(digest(new Uint8Array([0x61, 0x62, 0x63])).toString('hex')).toBe(expected);
});

test('HMAC-SHA-256, test case 2 of RFC 4231 (P23)', () => {
  const tag = authenticate('Jefe', 'what do ya want for nothing?').toString('hex');
  expect(tag).toBe('5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843');
});

test.each([
  ['', '', true],
  ['abc', 'abc', true],
  ['abc', 'abd', false],
  ['abc', 'ab', false],
  ['abc', '', false],
  ['ä', 'ä', true],
  ['ä', 'a', false],
])('%j and %j are the same: %s', (one, other, same) => {
  expect(sameText(one, other)).toBe(same);
});
