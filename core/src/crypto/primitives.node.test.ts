/** Both sets of primitives give the same bytes. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RUNS, bytesOf, key32 } from '../testing/arbitraries.ts';
import * as node from './primitives.node.ts';
import * as web from './primitives.web.ts';

const any = bytesOf({ maxLength: 400 });
const nonce = bytesOf({ minLength: 12, maxLength: 12 });

describe('node:crypto and WebCrypto', () => {
  test('offer the same functions', () => {
    expect(Object.keys(node).toSorted()).toEqual(Object.keys(web).toSorted());
  });

  test('agree on SHA-256', async () => {
    const property = fc.asyncProperty(any, async (bytes) => {
      expect(node.sha256(bytes)).toEqual(await web.sha256(bytes));
    });
    await fc.assert(property, { numRuns: RUNS });
  });

  test('agree on HKDF', async () => {
    const property = fc.asyncProperty(
      any,
      any,
      any,
      fc.integer({ min: 1, max: 200 }),
      async (ikm, salt, info, length) => {
        const derived = node.hkdf(node.importDerivationKey(ikm), salt, info, length);
        expect(derived).toEqual(await web.hkdf(await web.importDerivationKey(ikm), salt, info, length));
      },
    );
    await fc.assert(property, { numRuns: RUNS });
  });

  test('agree on AES-GCM: sealing, opening and rejecting', async () => {
    const property = fc.asyncProperty(key32, nonce, any, any, fc.nat(), async (key, iv, aad, plaintext, at) => {
      const [one, other] = [new Uint8Array(plaintext.length + 20), new Uint8Array(plaintext.length + 20)];
      node.aesGcmSeal(key, iv, aad, plaintext, one, 4);
      await web.aesGcmSeal(key, iv, aad, plaintext, other, 4);
      expect(one).toEqual(other);
      const sealed = one.slice(4);
      expect(node.aesGcmOpen(key, iv, aad, sealed)).toEqual(plaintext);
      expect(await web.aesGcmOpen(key, iv, aad, sealed)).toEqual(plaintext);
      sealed[at % sealed.length] = (sealed[at % sealed.length] ?? 0) ^ 1;
      expect(node.aesGcmOpen(key, iv, aad, sealed)).toBeNull();
      expect(await web.aesGcmOpen(key, iv, aad, sealed)).toBeNull();
    });
    await fc.assert(property, { numRuns: RUNS });
    for (const length of [0, 15]) {
      const short = new Uint8Array(length);
      const [key, iv] = [new Uint8Array(32), new Uint8Array(12)];
      expect([node.aesGcmOpen(key, iv, short, short), await web.aesGcmOpen(key, iv, short, short)]).toEqual([
        null,
        null,
      ]);
    }
  });

  test('agree on base64', () => {
    const property = fc.property(any, (bytes) => {
      const text = node.toBase64(bytes);
      expect(web.toBase64(bytes)).toBe(text);
      expect(web.fromBase64(text)).toEqual(bytes);
      expect(node.fromBase64(text)).toEqual(bytes);
    });
    fc.assert(property, { numRuns: RUNS });
  });
});
