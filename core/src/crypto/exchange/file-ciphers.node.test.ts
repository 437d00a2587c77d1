/** Each function against OpenSSL or the whole message. */
import { createCipheriv, createHmac, pbkdf2Sync, createHash } from 'node:crypto';
import { salsa20 } from '@noble/ciphers/salsa.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RUNS, bytesOf, key32 } from '../../testing/arbitraries.ts';
import {
  type KeyStream,
  aesCbcDecrypt,
  aesCbcDecryptStart,
  aesCbcEncrypt,
  aesRounds,
  digest,
  hmacSha256,
  keyStream,
  pbkdf2Sha256,
} from './file-ciphers.ts';

const iv16 = bytesOf({ minLength: 16, maxLength: 16 });
const any = bytesOf({ maxLength: 400 });

test('digests, HMAC and PBKDF2', async () => {
  const property = fc.asyncProperty(key32, any, any, async (key, one, other) => {
    const both = Buffer.concat([one, other]);
    expect(Buffer.from(await digest('SHA-512', one, other))).toEqual(createHash('sha512').update(both).digest());
    expect(Buffer.from(await hmacSha256(key, one, other))).toEqual(createHmac('sha256', key).update(both).digest());
    expect(Buffer.from(await pbkdf2Sha256(key, one, 3))).toEqual(pbkdf2Sync(key, one, 3, 32, 'sha256'));
  });
  await fc.assert(property, { numRuns: RUNS });
});

test('AES-CBC: encrypts, opens, opens the start alone; null for wrong padding', async () => {
  const property = fc.asyncProperty(key32, iv16, any, async (key, iv, plaintext) => {
    const cipher = createCipheriv('aes-256-cbc', key, iv);
    const sealed = await aesCbcEncrypt(key, iv, plaintext);
    expect(Buffer.from(sealed)).toEqual(Buffer.concat([cipher.update(plaintext), cipher.final()]));
    expect(await aesCbcDecrypt(key, iv, sealed)).toEqual(plaintext);
    const whole = plaintext.length - (plaintext.length % 16);
    if (whole > 0) expect(await aesCbcDecryptStart(key, iv, sealed.slice(0, whole))).toEqual(plaintext.slice(0, whole));
  });
  await fc.assert(property, { numRuns: RUNS });
  expect(await aesCbcDecrypt(new Uint8Array(32), new Uint8Array(16), new Uint8Array(17))).toBeNull();
  expect(await aesCbcDecrypt(new Uint8Array(32), new Uint8Array(16), new Uint8Array(16))).toBeNull();
});

test.each([1, 2, 65_535, 65_536, 65_537, 200_000])(
  'AES-KDF with %i rounds is that many encryptions',
  async (rounds) => {
    const [seed, data] = [new Uint8Array(32).fill(7), Uint8Array.from({ length: 32 }, (_, at) => at)];
    let expected: Uint8Array = data;
    const cipher = createCipheriv('aes-256-ecb', seed, null).setAutoPadding(false);
    for (let round = 0; round < rounds; round += 1) expected = cipher.update(expected);
    const done: number[] = [];
    const key = await aesRounds(seed, data, rounds, (at) => done.push(at));
    expect(Buffer.from(key)).toEqual(createHash('sha256').update(expected).digest());
    expect(done).toEqual(Array.from({ length: Math.ceil(rounds / 65_536) }, (_, at) => at * 65_536));
  },
);

test('a key stream goes on over calls of any length, beyond its buffer', () => {
  const pieces = [1, 63, 64, 65, 70_000, 0, 200_000, 3].map((length) => new Uint8Array(length).fill(length));
  const whole = Buffer.concat(pieces);
  const key = new Uint8Array(32).fill(9);
  const chacha = createCipheriv('chacha20', key, Buffer.concat([Buffer.alloc(4), Buffer.alloc(12, 5)]));
  const [ours, salsa] = [
    keyStream('ChaCha20', key, new Uint8Array(12).fill(5)),
    keyStream('Salsa20', key, new Uint8Array(8)),
  ];
  const given = (stream: KeyStream) => Buffer.concat(pieces.map((piece) => stream(piece)));
  expect(given(ours).equals(chacha.update(whole))).toBe(true);
  expect(given(salsa).equals(salsa20(key, new Uint8Array(8), new Uint8Array(whole)))).toBe(true);
});
