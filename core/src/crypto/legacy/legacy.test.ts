/** The reader of the older format against files that other software made (docs/spec/crypto.md §21). */
import { describe, expect, test } from 'vitest';
import fixtures from '../../testing/fixtures/legacy_pem.json' with { type: 'json' };
import { VECTORS } from '../../testing/pb1-vectors.ts';
import { errorCodeOf } from '../../testing/error-code.ts';
import { decodeBase64, decodeHex, encodeHex, utf8 } from '../bytes.ts';
import { openLegacyPrivateKey, unwrapLegacySecret, derivePbkdf2, openLegacyValue } from './open-legacy-database.ts';

const { legacy0 } = VECTORS;
const value = {
  groupPassword: decodeHex(legacy0.group_password_hex),
  siteSalt: decodeBase64(legacy0.cbc_salt_base64),
  initializationVector: decodeBase64(legacy0.initialization_vector_base64),
  ciphertext: decodeBase64(legacy0.encrypted_value_base64),
};

describe('an L0 value', () => {
  test('opens as in the frozen vectors', async () => {
    const key = await derivePbkdf2('SHA-1', value.groupPassword, value.siteSalt, 1000, 16);
    expect(encodeHex(key)).toBe(legacy0.aes_key_hex);
    expect(await openLegacyValue(value)).toEqual(utf8(legacy0.plaintext));
  });

  test.each([
    ['another group password', { groupPassword: new Uint8Array(64) }],
    ['a salt of 31 bytes', { siteSalt: new Uint8Array(31) }],
    ['a vector of 15 bytes', { initializationVector: new Uint8Array(15) }],
    ['half a block', { ciphertext: value.ciphertext.slice(0, 8) }],
    ['no block', { ciphertext: new Uint8Array(0) }],
  ])('%s → legacy', async (_, change) => {
    expect(await errorCodeOf(() => openLegacyValue({ ...value, ...change }))).toBe('legacy');
  });
});

describe('an L0 private key made by OpenSSL', () => {
  test.each([
    ['HMAC-SHA-256, AES-256, 2048 iterations', fixtures.pem_sha256_aes256_2048],
    ['HMAC-SHA-1 by default, AES-128, 600 000 iterations', fixtures.pem_sha1_aes128_600000],
  ])('%s', async (_, pem) => {
    const key = await openLegacyPrivateKey(pem, fixtures.master_password);
    const secret = await unwrapLegacySecret(key, decodeBase64(fixtures.wrapped_base64));
    expect(encodeHex(secret)).toBe(fixtures.group_password_hex);
    expect(await errorCodeOf(() => unwrapLegacySecret(key, new Uint8Array(256)))).toBe('legacy');
  });

  test.each(Object.entries(fixtures.refused))('%s → legacy', async (_, pem) => {
    expect(await errorCodeOf(() => openLegacyPrivateKey(pem, fixtures.master_password))).toBe('legacy');
  });

  test.each([
    ['another master password', fixtures.pem_sha256_aes256_2048, 'wrong'],
    ['no PEM', 'not a key', fixtures.master_password],
    ['a cut PEM', fixtures.pem_sha256_aes256_2048.replace(/\n.{64}\n/, '\n'), fixtures.master_password],
    ['a plain key', fixtures.pem_sha256_aes256_2048.replaceAll('ENCRYPTED ', ''), fixtures.master_password],
    ['a megabyte', `${fixtures.pem_sha256_aes256_2048}${' '.repeat(1e6)}`, fixtures.master_password],
  ])('%s → legacy', async (_, pem, masterPassword) => {
    expect(await errorCodeOf(() => openLegacyPrivateKey(pem, masterPassword))).toBe('legacy');
  });
});
