/** Primitives of archives against vectors of other programs. */
import { expect, test } from 'vitest';
import { expandKey, openPiece, scryptKey, sealPiece } from './age-primitives.node.ts';

const hex = (text: string) => Buffer.from(text.replaceAll(/\s/g, ''), 'hex');

test('ChaCha20-Poly1305 seals and opens; changed ciphertext does not open', () => {
  const [key, nonce] = [Buffer.alloc(32, 7), Buffer.alloc(12, 9)];
  const sealed = sealPiece(key, nonce, Buffer.from('plain'));
  expect(sealed.length).toBe(5 + 16);
  expect(openPiece(key, nonce, sealed)?.toString()).toBe('plain');
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(openPiece(key, nonce, changed)).toBeNull();
  }
  expect(openPiece(key, nonce, sealed.subarray(0, 15))).toBeNull();
  expect(openPiece(key, Buffer.alloc(12), sealed)).toBeNull();
});

test('P23 ChaCha20-Poly1305 of RFC 8439 §2.8.2 without additional data has the same first bytes', () => {
  const key = hex('808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f');
  const nonce = hex('070000004041424344454647');
  const text =
    "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it.";
  expect(sealPiece(key, nonce, Buffer.from(text)).subarray(0, 16).toString('hex')).toBe(
    'd31a8d34648e60db7b86afbc53ef7ec2',
  );
});

test('scrypt and HKDF equal other implementations', async () => {
  // Python's hashlib.scrypt, and @noble/hashes with the label of an age payload.
  const key = await scryptKey('password', Buffer.from('NaCl'), 10);
  expect(key.toString('hex')).toBe('27b418c674c769d12501fbb1f53bac32df6514c0f28d043872b148b348961a79');
  const expanded = expandKey(hex('0b'.repeat(22)), hex('000102030405060708090a0b0c'), 'payload');
  expect(expanded.toString('hex')).toBe('ab06eaff28963bf3dc225220ba106273bfb3f3bc0a6096851b6734eed62431a3');
});
