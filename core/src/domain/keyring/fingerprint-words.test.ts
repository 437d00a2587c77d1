/** Fingerprints as words (docs/spec/crypto.md §7, §24). */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sha256 } from '#primitives';
import { encodeHex, utf8 } from '../../crypto/bytes.ts';
import { VECTORS } from '../../testing/pb1-vectors.ts';
import { errorCodeOf } from '../../testing/error-code.ts';
import { EFF_LONG_WORDS, fingerprintWords } from './fingerprint-words.ts';

test('the list is the published one: with dice numbers added it has the hash of the file', async () => {
  const dice = (at: number) => [1296, 216, 36, 6, 1].map((weight) => (Math.floor(at / weight) % 6) + 1).join('');
  const file = EFF_LONG_WORDS.map((word, at) => `${dice(at)}\t${word}\n`).join('');
  expect(file.slice(0, 13)).toBe('11111\tabacus\n');
  expect(encodeHex(await sha256(utf8(file)))).toBe('addd35536511597a02fa0a9ff1e5284677b8883b83e986e43f15a3db996b903e');
  expect(new Set(EFF_LONG_WORDS).size).toBe(7776);
});

test('the vector of the specification', () => {
  const indices = [4988, 7059, 2567, 5404, 1849, 4898, 6965, 3010];
  expect(fingerprintWords(VECTORS.identity.fingerprint_hex)).toEqual(indices.map((at) => EFF_LONG_WORDS[at]));
});

test('zero is the first word, and a ninth digit is not shown', () => {
  const hex = (number: bigint) => number.toString(16).padStart(64, '0');
  const eightZeros = Array.from({ length: 8 }, () => 'abacus');
  expect(fingerprintWords(hex(0n))).toEqual(eightZeros);
  expect(fingerprintWords(hex(7776n ** 8n))).toEqual(eightZeros);
  expect(fingerprintWords(hex(7776n ** 8n - 1n))).toEqual(Array.from({ length: 8 }, () => 'zoom'));
  expect(fingerprintWords(hex(7776n + 2n))).toEqual(['abdominal', 'abdomen', ...eightZeros.slice(2)]);
});

test('the words encode the lower 103 bits', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), (number) => {
      const words = fingerprintWords(number.toString(16).padStart(64, '0'));
      const back = words.reduceRight((sum, word) => sum * 7776n + BigInt(EFF_LONG_WORDS.indexOf(word)), 0n);
      expect(back).toBe(number % 7776n ** 8n);
    }),
    { numRuns: 200 },
  );
});

test.each(['', 'ab', 'AB'.repeat(32), 'g'.repeat(64), `${'a'.repeat(64)}\n`, `0x${'a'.repeat(62)}`, 'a'.repeat(65)])(
  'a malformed fingerprint has no words: %j',
  async (text) => {
    expect(await errorCodeOf(() => fingerprintWords(text))).toBe('certificate');
  },
);
