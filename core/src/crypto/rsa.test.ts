/** RSA-OAEP alone: handles, refusals, the public half of a private key (docs/spec/crypto.md §7). */
import { beforeAll, describe, expect, test } from 'vitest';
import { errorCodeOf } from '../testing/error-code.ts';
import { type Bytes, decodeHex, randomBytes } from './bytes.ts';
import {
  createRsaKeyPair,
  importRsaPrivateKey,
  importRsaPublicKey,
  rsaPublicKeyOf,
  unwrapWith,
  wrapFor,
} from './rsa.ts';

let pair: Awaited<ReturnType<typeof createRsaKeyPair>>;
beforeAll(async () => {
  pair = await createRsaKeyPair();
});

test('a wrapped secret opens only with its key', async () => {
  const secret = randomBytes(64);
  const wrapped = await wrapFor(await importRsaPublicKey(pair.spki), secret);
  expect(wrapped).toHaveLength(384);
  const key = await importRsaPrivateKey(pair.pkcs8);
  expect(await unwrapWith(key, wrapped)).toEqual(secret);
  expect(await errorCodeOf(() => unwrapWith(key, wrapped.with(9, (wrapped[9] ?? 0) ^ 1)))).toBe('grant');
  expect(await errorCodeOf(() => unwrapWith(key, new Uint8Array(0)))).toBe('grant');
});

test('a private key is a non-extractable handle', async () => {
  const key = await importRsaPrivateKey(pair.pkcs8);
  expect([key.extractable, key.usages, key.algorithm.name]).toEqual([false, ['decrypt'], 'RSA-OAEP']);
  await expect(crypto.subtle.exportKey('pkcs8', key)).rejects.toThrow();
});

describe('the public half', () => {
  test('equals that of the generated pair', async () => {
    expect(await rsaPublicKeyOf(pair.pkcs8)).toEqual(pair.spki);
  });

  test.each([
    ['2048 bit, e = 3', 2048, new Uint8Array([3])],
    ['2056 bit, e = 65537', 2056, new Uint8Array([1, 0, 1])],
  ])('is encoded correctly for any key length: %s', async (_, modulusLength, publicExponent) => {
    const algorithm = { name: 'RSA-OAEP', hash: 'SHA-256', modulusLength, publicExponent };
    const keys = await crypto.subtle.generateKey(algorithm, true, ['encrypt', 'decrypt']);
    const exported = async (format: 'pkcs8' | 'spki', key: CryptoKey) =>
      new Uint8Array(await crypto.subtle.exportKey(format, key));
    expect(await rsaPublicKeyOf(await exported('pkcs8', keys.privateKey))).toEqual(
      await exported('spki', keys.publicKey),
    );
  });
});

/**
 * A private key in DER with any numbers: `SEQUENCE { 0, algorithm, OCTET STRING { SEQUENCE { 0, n, e } } }`.
 */
const element = (tag: string, content: string) =>
  `${tag}${(content.length / 2).toString(16).padStart(2, '0')}${content}`;
const pkcs8Of = (n: string, e: string, octets = '04') => {
  const numbers = element('30', `${element('02', '00')}${n}${e}`);
  return decodeHex(element('30', `${element('02', '00')}${element('30', '')}${element(octets, numbers)}`));
};
const [n, e] = [element('02', '00ff'), element('02', '03')];

test.each<[string, () => Bytes]>([
  ['an empty input', () => new Uint8Array(0)],
  ['random bytes', () => randomBytes(100)],
  ['a truncated key', () => pair.pkcs8.slice(0, -1)],
  ['a public key', () => pair.spki],
  ['a key without octets', () => pkcs8Of(n, e, '05')],
  ['a key without modulus', () => pkcs8Of('', '')],
  ['a key without exponent', () => pkcs8Of(n, '')],
  ['a key with a negative modulus', () => pkcs8Of(element('02', 'ff'), e)],
  ['a key with a negative exponent', () => pkcs8Of(n, element('02', 'ff'))],
])('of %s cannot be read, and the key cannot be imported', async (_, build) => {
  expect(await errorCodeOf(() => rsaPublicKeyOf(build()))).toBe('public_key');
  expect(await errorCodeOf(() => importRsaPrivateKey(build()))).toBe('public_key');
});
