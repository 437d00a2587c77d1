/** Where a browser has no Ed25519: the same keys, the same signatures, the same refusals by way of @noble/curves (`crypto.md` §7). */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { encodeHex, randomBytes, utf8 } from './bytes.ts';
import * as native from './ed25519.ts';

let fallback: typeof native;
beforeAll(async () => {
  // What such a browser answers to every call that names the algorithm.
  const refuse = () => Promise.reject(new DOMException('Unrecognized name.', 'NotSupportedError'));
  vi.spyOn(crypto.subtle, 'generateKey').mockImplementation(refuse);
  vi.resetModules();
  fallback = await import('./ed25519.ts');
  await fallback.publicKeyOf(randomBytes(32));
});
afterAll(() => {
  vi.restoreAllMocks();
});

test('both give the same keys and signatures, and accept each other’s', async () => {
  for (let round = 0; round < 20; round += 1) {
    const [seed, message] = [randomBytes(32), randomBytes(round * 7)];
    const publicKey = await fallback.publicKeyOf(seed);
    expect(encodeHex(publicKey)).toBe(encodeHex(await native.publicKeyOf(seed)));
    const key = await fallback.importSigningKey(seed);
    expect(key.native).toBeNull();
    const signature = await fallback.sign(key, message);
    expect(encodeHex(signature)).toBe(encodeHex(await native.sign(await native.importSigningKey(seed), message)));
    expect(await fallback.verify(publicKey, message, signature)).toBe(true);
    expect(await native.verify(publicKey, message, signature)).toBe(true);
  }
});

test('the fallback refuses what was changed', async () => {
  const seed = randomBytes(32);
  const [publicKey, message] = [await fallback.publicKeyOf(seed), utf8('message')];
  const signature = await fallback.sign(await fallback.importSigningKey(seed), message);
  expect(await fallback.verify(publicKey, utf8('messagf'), signature)).toBe(false);
  expect(await fallback.verify(publicKey, message, signature.with(0, (signature[0] ?? 0) ^ 1))).toBe(false);
  expect(await fallback.verify(publicKey, message, signature.with(63, 0xff))).toBe(false);
  expect(await fallback.verify(randomBytes(32), message, signature)).toBe(false);
  expect(await fallback.verify(publicKey, message, signature.slice(0, 63))).toBe(false);
});
