/**
 * An offline database of the older format, made by OpenSSL from the constants of the specification alone (docs/spec/product.md §9: 1000 iterations, 16-byte key, AES-CBC,
 * RSA-OAEP with SHA-256), opens with the reader. Made by:
 *
 *   MP='correct horse battery staple'
 *   hex() { od -An -v -tx1 "$1" | tr -d ' \n'; }
 *   openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out key.pem
 *   openssl pkcs8 -topk8 -in key.pem -out locked.pem -v2 aes-256-cbc -v2prf hmacWithSHA256 -passout "pass:$MP"
 *   openssl pkey -in key.pem -pubout -out public.pem
 *   openssl rand -out salt.bin 32
 *   # for each group:
 *   openssl rand -out group.bin 64
 *   openssl pkeyutl -encrypt -pubin -inkey public.pem -in group.bin -out group.wrapped \
 *     -pkeyopt rsa_padding_mode:oaep -pkeyopt rsa_oaep_md:sha256 -pkeyopt rsa_mgf1_md:sha256
 *   openssl kdf -keylen 16 -kdfopt digest:SHA1 -kdfopt hexpass:$(hex group.bin) -kdfopt hexsalt:$(hex salt.bin) \
 *     -kdfopt iter:1000 -binary -out group.key PBKDF2
 *   # for each value:
 *   openssl rand -out iv.bin 16
 *   printf '%s' "$VALUE" | openssl enc -aes-128-cbc -K $(hex group.key) -iv $(hex iv.bin) -out value
 */
import { expect, test } from 'vitest';
import fixture from '../../testing/fixtures/legacy_database.json' with { type: 'json' };
import { errorCodeOf } from '../../testing/error-code.ts';
import { openLegacyDatabase } from './open-legacy-database.ts';

test('every value of an L0 offline database opens', async () => {
  const values = await openLegacyDatabase(fixture, fixture.master_password);
  expect(Object.fromEntries(values)).toEqual(fixture.values);
  expect(values.size).toBe(5);
});

test.each([
  ['another master password', fixture, 'wrong'],
  ['another salt', { ...fixture, salt: { salt_base64: btoa('x'.repeat(32)) } }, fixture.master_password],
  ['a salt of 31 bytes', { ...fixture, salt: { salt_base64: btoa('x'.repeat(31)) } }, fixture.master_password],
  ['no key', { ...fixture, key: { rsa_private_key_base64: btoa('no key') } }, fixture.master_password],
])('%s → legacy', async (_, parts, masterPassword) => {
  expect(await errorCodeOf(() => openLegacyDatabase(parts, masterPassword))).toBe('legacy');
});
