/** New keys that replace keys which another person knew (docs/spec/crypto.md §6, P19). */
import { beforeAll, expect, test } from 'vitest';
import { decodeBase64, encodeBase64 } from '../../crypto/bytes.ts';
import { errorCodeOf } from '../../testing/error-code.ts';
import { TEST_KDF as kdf } from '../../testing/test-kdf.ts';
import { verifyCertificate } from './certificate.ts';
import { EMPTY_DESK, readDesk } from '../desk.ts';
import { openDocument, sealDocument } from './documents.ts';
import { createGroupSecret, unwrapGroupSecret, wrapGroupSecret } from '../groups/grants.ts';
import { type Keyring, createKeyring, unlock } from './keyring.ts';
import { EMPTY_RECORD, readTrustRecord } from '../trust/trust-record.ts';
import { type OwnGrantWire, type RekeyWire, rekey } from './rekey.ts';

const OLD = 'chosen by an admin';
const NEW = 'chosen by the owner';
const userId = '0190a1b2-0000-7000-8000-000000000001';
const asIs = (raw: unknown) => raw;

let old: Keyring;
let fresh: Keyring;
let wire: RekeyWire;
const secrets = [createGroupSecret(), createGroupSecret()];
const groupIds = secrets.map((_, at) => `0190a1b2-0000-7000-8000-0000000000a${at}`);

beforeAll(async () => {
  ({ keyring: old } = await createKeyring({ userId, masterPassword: OLD, kdf }));
  const grants: OwnGrantWire[] = await Promise.all(
    secrets.map(async (secret, at) => ({
      entry_group_id: groupIds[at] ?? '',
      gk_version: at + 1,
      role: 'member' as const,
      alg: 'rsa-oaep-256',
      encrypted_aes_password_base64: encodeBase64(await wrapGroupSecret(secret, old.identity)),
    })),
  );
  const documents = [
    { name: 'pins', version: 3, blob_base64: await sealDocument(old, { name: 'pins', n: 3 }, { v: 1 }) },
  ];
  ({ keyring: fresh, wire } = await rekey(old, { masterPassword: NEW, kdf, grants, documents, record: null }));
});

test('creates keys of the next version whose certificate no old key signed', async () => {
  const { keyset, certificate } = wire.key_bundle;
  expect(keyset.version).toBe(2);
  const identity = await verifyCertificate(certificate);
  expect([identity.keysetVersion, identity.prevFingerprint, certificate.sig_prev_base64]).toEqual([2, '', null]);
  expect(identity.fingerprint).toBe(fresh.fingerprint);
  expect(identity.fingerprint).not.toBe(old.fingerprint);
});

test('the new master password opens the keyring, the old one does not', async () => {
  const bundle = { user_id: userId, ...wire.key_bundle };
  expect((await unlock({ bundle, masterPassword: NEW, kdf })).fingerprint).toBe(fresh.fingerprint);
  expect(await errorCodeOf(() => unlock({ bundle, masterPassword: OLD, kdf }))).toBe('commit');
});

test('every grant opens only with the new key, to the same secret', async () => {
  expect(
    wire.grants.map(({ entry_group_id, gk_version, role, recipient_fpr }) => [
      entry_group_id,
      gk_version,
      role,
      recipient_fpr,
    ]),
  ).toEqual(groupIds.map((id, at) => [id, at + 1, 'member', fresh.fingerprint]));
  for (const [at, grant] of wire.grants.entries()) {
    const wrapped = decodeBase64(grant.encrypted_aes_password);
    expect(await unwrapGroupSecret(fresh, wrapped)).toEqual(secrets[at]);
    await expect(unwrapGroupSecret(old, wrapped)).rejects.toThrow();
  }
});

test('documents open with the new keys, as the next version', async () => {
  const [document] = wire.documents;
  expect(document?.name).toBe('pins');
  expect(await openDocument(fresh, { name: 'pins', n: 4 }, document?.blob_base64 ?? '', asIs)).toEqual({ v: 1 });
  expect(await errorCodeOf(() => openDocument(old, { name: 'pins', n: 4 }, document?.blob_base64 ?? '', asIs))).toBe(
    'commit',
  );
});

test('the new trust record is empty and does not take over old pins', async () => {
  const [, document] = wire.documents;
  expect([document?.name, document?.version, fresh.isMadeWithRecord]).toEqual(['trust', 0, true]);
  const place = { name: 'trust', n: 1 } as const;
  expect(await openDocument(fresh, place, document?.blob_base64 ?? '', readTrustRecord)).toEqual({
    ...EMPTY_RECORD,
    pins_n: 4,
  });
});

test('a given record is sealed as the next version; the stored one is not opened', async () => {
  const record = { ...EMPTY_RECORD, at: 7, own: ['0'.repeat(64)] };
  const stored = { name: 'trust', version: 57, blob_base64: null };
  const made = await rekey(old, { masterPassword: NEW, kdf, grants: [], documents: [stored], record });
  const [document] = made.wire.documents;
  expect(document).toMatchObject({ name: 'trust', version: 57 });
  const place = { name: 'trust', n: 58 } as const;
  expect(await openDocument(made.keyring, place, document?.blob_base64 ?? '', readTrustRecord)).toEqual({
    ...record,
    own: [],
  });
});

test('a damaged list of favourites begins anew, any other damaged document fails', async () => {
  const damaged = { version: 3, blob_base64: encodeBase64(new Uint8Array(100)) };
  const request = { masterPassword: NEW, kdf, grants: [], record: null };
  const made = await rekey(old, { ...request, documents: [{ ...damaged, name: 'desk' }] });
  const [document] = made.wire.documents;
  expect(document).toMatchObject({ name: 'desk', version: 3 });
  const opened = await openDocument(made.keyring, { name: 'desk', n: 4 }, document?.blob_base64 ?? '', readDesk);
  expect(opened).toEqual(EMPTY_DESK);
  await expect(rekey(old, { ...request, documents: [{ ...damaged, name: 'pins' }] })).rejects.toThrow();
});

test('fails if a grant does not open or has another algorithm', async () => {
  const grant = { entry_group_id: groupIds[0] ?? '', gk_version: 1, role: 'member' as const, alg: 'rsa-oaep-256' };
  const request = { masterPassword: NEW, kdf, documents: [], record: null };
  const foreign = encodeBase64(await wrapGroupSecret(createGroupSecret(), fresh.identity));
  for (const wrong of [
    { ...grant, encrypted_aes_password_base64: foreign },
    { ...grant, alg: 'xwing', encrypted_aes_password_base64: foreign },
  ])
    expect(await errorCodeOf(() => rekey(old, { ...request, grants: [wrong] }))).toBe('grant');
});
