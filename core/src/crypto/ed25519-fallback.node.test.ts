/**
 * A browser without Ed25519 uses @noble/curves, with the same keys, signatures and refusals
 * (docs/spec/crypto.md §7).
 */
import { ed25519 } from '@noble/curves/ed25519.js';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { concat, decodeHex, encodeHex, randomBytes, utf8 } from './bytes.ts';
import * as native from './ed25519.ts';

let fallback: typeof native;
beforeAll(async () => {
  // Called while the algorithm exists, because the result is cached.
  expect((await native.importSigningKey(randomBytes(32))).native).not.toBeNull();
  // A browser without Ed25519 rejects every call that names it.
  const refuse = () => Promise.reject(new DOMException('Unrecognized name.', 'NotSupportedError'));
  vi.spyOn(crypto.subtle, 'generateKey').mockImplementation(refuse);
  vi.resetModules();
  fallback = await import('./ed25519.ts');
  await fallback.publicKeyOf(randomBytes(32));
});
afterAll(() => {
  vi.restoreAllMocks();
  // The next test file needs modules without the cached result.
  vi.resetModules();
});

test('both give the same keys and signatures, and accept each other’s signatures', async () => {
  for (let round = 0; round < 20; round += 1) {
    const [seed, message] = [randomBytes(32), randomBytes(round * 7)];
    const publicKey = await fallback.publicKeyOf(seed);
    expect(encodeHex(publicKey)).toBe(encodeHex(await native.publicKeyOf(seed)));
    const key = await fallback.importSigningKey(seed);
    expect(key.native).toBeNull();
    expect((await native.importSigningKey(seed)).seed).toBeNull();
    const signature = await fallback.sign(key, message);
    expect(encodeHex(signature)).toBe(encodeHex(await native.sign(await native.importSigningKey(seed), message)));
    expect(await fallback.verify(publicKey, message, signature)).toBe(true);
    expect(await native.verify(publicKey, message, signature)).toBe(true);
  }
});

test('the fallback keeps a copy of the seed, so the caller can wipe its own', async () => {
  const seed = randomBytes(32);
  const publicKey = await fallback.publicKeyOf(seed);
  const key = await fallback.importSigningKey(seed);
  seed.fill(0);
  expect(await fallback.verify(publicKey, utf8('m'), await fallback.sign(key, utf8('m')))).toBe(true);
});

test('both reject a signature with a non-canonical R, although its equation holds', async () => {
  const seed = randomBytes(32);
  const { scalar } = ed25519.utils.getExtendedPublicKey(seed);
  const publicKey = await native.publicKeyOf(seed);
  // The neutral point, y = 1, encoded as y = p + 1: r is 0, so S is k·a.
  const r = concat(new Uint8Array([0xee]), new Uint8Array(30).fill(0xff), new Uint8Array([0x7f]));
  const digest = await crypto.subtle.digest('SHA-512', concat(r, publicKey, utf8('m')));
  const k = littleEndian(new Uint8Array(digest));
  const s = ((k * scalar) % ed25519.Point.Fn.ORDER).toString(16).padStart(64, '0');
  const signature = concat(r, decodeHex(s).toReversed());
  expect(ed25519.verify(signature, utf8('m'), publicKey, { zip215: true })).toBe(true);
  expect(await fallback.verify(publicKey, utf8('m'), signature)).toBe(false);
  expect(await native.verify(publicKey, utf8('m'), signature)).toBe(false);
});

const littleEndian = (bytes: Uint8Array) => BigInt(`0x${encodeHex(bytes.toReversed())}`);

test('the fallback rejects changed messages, keys and signatures', async () => {
  const seed = randomBytes(32);
  const [publicKey, message] = [await fallback.publicKeyOf(seed), utf8('message')];
  const signature = await fallback.sign(await fallback.importSigningKey(seed), message);
  expect(await fallback.verify(publicKey, utf8('messagf'), signature)).toBe(false);
  expect(await fallback.verify(publicKey, message, signature.with(0, (signature[0] ?? 0) ^ 1))).toBe(false);
  expect(await fallback.verify(publicKey, message, signature.with(63, 0xff))).toBe(false);
  expect(await fallback.verify(randomBytes(32), message, signature)).toBe(false);
  expect(await fallback.verify(publicKey, message, signature.slice(0, 63))).toBe(false);
});
