/** Ed25519 with the implementation of this runtime: handles, refusals, encodings (docs/spec/crypto.md §7). */
import { ed25519 } from '@noble/curves/ed25519.js';
import { describe, expect, test } from 'vitest';
import { errorCodeOf } from '../testing/error-code.ts';
import { decodeHex, encodeHex, randomBytes, utf8 } from './bytes.ts';
import { checkPublicKey, importSigningKey, publicKeyOf, sign, verify } from './ed25519.ts';

const message = utf8('message');
const hasNative = await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify']).then(
  () => true,
  () => false,
);

test('a key is a non-extractable handle if the runtime has Ed25519', async () => {
  const { native, seed } = await importSigningKey(randomBytes(32));
  expect([native !== null, seed === null]).toEqual([hasNative, hasNative]);
  if (native !== null) {
    expect([native.extractable, native.usages]).toEqual([false, ['sign']]);
    await expect(crypto.subtle.exportKey('pkcs8', native)).rejects.toThrow();
  }
});

test('public keys equal those of another implementation', async () => {
  for (let round = 0; round < 40; round += 1) {
    const seed = randomBytes(32);
    expect(encodeHex(await publicKeyOf(seed))).toBe(encodeHex(ed25519.getPublicKey(seed)));
  }
});

test.each([0, 31, 33])('rejects a seed of %i bytes', async (length) => {
  expect(await errorCodeOf(() => importSigningKey(new Uint8Array(length)))).toBe('key_length');
  expect(await errorCodeOf(() => publicKeyOf(new Uint8Array(length)))).toBe('key_length');
});

test('a key without handle and seed cannot sign', async () => {
  expect(await errorCodeOf(() => sign({ native: null, seed: null }, message))).toBe('signature');
});

describe('verifying', () => {
  test('returns false for keys and signatures of wrong lengths', async () => {
    const seed = randomBytes(32);
    const publicKey = await publicKeyOf(seed);
    const signature = await sign(await importSigningKey(seed), message);
    expect(await verify(publicKey, message, signature)).toBe(true);
    for (const wrong of [new Uint8Array(0), publicKey.slice(0, 31), new Uint8Array([...publicKey, 0])])
      expect(await verify(wrong, message, signature)).toBe(false);
    for (const wrong of [new Uint8Array(0), signature.slice(0, 63), new Uint8Array([...signature, 0])])
      expect(await verify(publicKey, message, wrong)).toBe(false);
  });
});

describe('a public key', () => {
  const key = (first: string, last = '7f') => decodeHex(`${first}${'ff'.repeat(30)}${last}`);

  test('must be below the prime', async () => {
    expect(await errorCodeOf(() => checkPublicKey(key('eb')))).toBe('no error');
    // p − 1 has small order; p and above are not canonical.
    for (const first of ['ec', 'ed', 'ee', 'ff']) {
      expect(await errorCodeOf(() => checkPublicKey(key(first)))).toBe('public_key');
      expect(await errorCodeOf(() => checkPublicKey(key(first, 'ff')))).toBe('public_key');
    }
    expect(await errorCodeOf(() => checkPublicKey(key('ed', '7e')))).toBe('no error');
  });

  test('is not modified by the check', () => {
    const high = key('eb', 'ff');
    checkPublicKey(high);
    expect(high[31]).toBe(0xff);
  });
});
