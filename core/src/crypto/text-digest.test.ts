import { expect, test } from 'vitest';
import { digestText } from './bytes.ts';

test('the digest of FIPS 180-4, for UTF-8', async () => {
  expect(await digestText('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(await digestText('☂')).toBe('07472eed0c936b1a387a690a9955f517f16424f8e88c7f45506a3d8082727412');
});
