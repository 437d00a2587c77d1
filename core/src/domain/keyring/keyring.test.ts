/**
 * Creating, unlocking and locking keys; forged bundles; change of the master password (docs/spec/crypto.md
 * §5–§7, P19, P21, M9–M12, M35).
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { sha256 } from '#primitives';
import { type Bytes, decodeBase64, decodeHex, encodeBase64, randomBytes, utf8 } from '../../crypto/bytes.ts';
import { importSigningKey, publicKeyOf } from '../../crypto/ed25519.ts';
import { type Kdf, DEFAULT_KDF, KDF_PROFILES } from '../../crypto/kdf.ts';
import { importSealingKey, seal } from '../../crypto/seal.ts';
import { type TestPerson, createPerson } from '../../testing/keyrings.ts';
import { LOCKED_KEYRING, VECTORS } from '../../testing/pb1-vectors.ts';
import { errorCodeOf } from '../../testing/error-code.ts';
import { TEST_KDF } from '../../testing/test-kdf.ts';
import { signCertificate } from './certificate.ts';
import { openField, sealField } from '../fields/field.ts';
import { createGroupKeys, openGroup } from '../groups/group-keys.ts';
import { EMPTY_RECORD, readTrustRecord } from '../trust/trust-record.ts';
import { openDocument, sealDocument, openSnapshot, sealSnapshot } from './documents.ts';
import { type LockedKeyring, changeMasterPassword, createKeyring, keyringOf, unlock } from './keyring.ts';
import { prove } from './proof.ts';

const MASTER_PASSWORD = 'correct horse';
let ada: TestPerson;
let bob: TestPerson;
beforeAll(async () => {
  [ada, bob] = await Promise.all([createPerson(MASTER_PASSWORD), createPerson('another')]);
});

const unlockWith = (change: Partial<LockedKeyring> = {}, masterPassword = MASTER_PASSWORD, kdf: Kdf = TEST_KDF) =>
  unlock({ bundle: { ...ada.bundle, ...change }, masterPassword, kdf });
const slot = (change: object) => ({ slots: [{ ...ada.bundle.slots[0], ...change } as LockedKeyring['slots'][number]] });
const flip = (base64: string, at = 70) => {
  const bytes = decodeBase64(base64);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return encodeBase64(bytes);
};

describe('a new keyring', () => {
  test('has one password slot of the default profile, and opens with the master password', async () => {
    const { bundle } = ada;
    expect(bundle.slots).toHaveLength(1);
    expect(bundle.slots[0]).toMatchObject({ slot_type: 'password', kdf: 'T0' });
    expect(decodeBase64(bundle.slots[0]?.blob_base64)).toHaveLength(116);
    expect(decodeBase64(bundle.certificate.rsa_spki_base64)).toHaveLength(422);
    expect(Object.keys(bundle.certificate).toSorted()).toEqual([
      'ed25519_base64',
      'keyset_version',
      'prev_fpr',
      'rsa_spki_base64',
      'sig_base64',
      'sig_prev_base64',
      'user_id',
      'v',
    ]);
    expect((await unlockWith()).fingerprint).toBe(ada.keyring.fingerprint);
  });

  test('has non-extractable handles', async () => {
    const { userKey, rsaPrivateKey, signingKey } = (await unlockWith()).keys();
    expect(rsaPrivateKey.extractable).toBe(false);
    expect(signingKey).toMatchObject({ seed: null, native: { extractable: false } });
    if (userKey instanceof CryptoKey) expect(userKey.extractable).toBe(false);
  });

  test.each(['', 'x'.repeat(1025), 'a\ud800'])('refuses the master password %j', async (masterPassword) => {
    const account = { userId: ada.userId, masterPassword, kdf: TEST_KDF };
    expect(await errorCodeOf(() => createKeyring(account))).toBe('password');
  });
});

describe('unlocking', () => {
  test.each(['wrong', ` ${MASTER_PASSWORD}`, MASTER_PASSWORD.toUpperCase()])('with %j → commit', async (wrong) => {
    expect(await errorCodeOf(() => unlockWith({}, wrong))).toBe('commit');
  });

  test.each([
    ['an unknown profile', { kdf: 'A9' }],
    ['no profile', { kdf: null }],
    ['numbers as profile', { kdf: { m: 8, t: 1, p: 1 } }],
    ['an empty salt', { salt_base64: '' }],
    ['a short salt', { salt_base64: 'AAAAAAAAAAA=' }],
  ])('M9, M10 with %s → kdf, before Argon2 runs', async (_, change) => {
    let derivations = 0;
    const spied: Kdf = {
      ...TEST_KDF,
      argon2id: (...given) => {
        derivations += 1;
        return TEST_KDF.argon2id(...given);
      },
    };
    expect(await errorCodeOf(() => unlockWith(slot(change), MASTER_PASSWORD, spied))).toBe('kdf');
    expect(derivations).toBe(0);
  });

  test('T124: new keys have an empty trust record, and the keyset says so', async () => {
    const { keyring, trust } = await createKeyring({
      userId: ada.userId,
      masterPassword: MASTER_PASSWORD,
      kdf: TEST_KDF,
    });
    expect([keyring.isMadeWithRecord, (await unlockWith({})).isMadeWithRecord]).toEqual([true, true]);
    expect([trust.name, trust.version]).toEqual(['trust', 0]);
    expect(await openDocument(keyring, { name: 'trust', n: 1 }, trust.blob_base64, readTrustRecord)).toEqual(
      EMPTY_RECORD,
    );
  });

  test('M9 the product rejects the KDF profile of the tests', async () => {
    const product: Kdf = { profiles: KDF_PROFILES, defaultProfile: DEFAULT_KDF, argon2id: TEST_KDF.argon2id };
    expect(await errorCodeOf(() => unlockWith({}, MASTER_PASSWORD, product))).toBe('kdf');
  });

  test('M10 with a changed salt, slot id or user → commit', async () => {
    expect(await errorCodeOf(() => unlockWith(slot({ salt_base64: encodeBase64(new Uint8Array(16)) })))).toBe('commit');
    expect(await errorCodeOf(() => unlockWith(slot({ slot_id: crypto.randomUUID() })))).toBe('commit');
    expect(await errorCodeOf(() => unlockWith({ user_id: bob.userId }))).toBe('commit');
  });

  test('M11 ignores parameters that a server adds', async () => {
    const keyring = await unlockWith(slot({ iterations: 1, memoryKib: 8, parallelism: 1 }));
    expect(keyring.fingerprint).toBe(ada.keyring.fingerprint);
  });

  test('a damaged slot is not reported as a wrong password', async () => {
    const blob_base64 = ada.bundle.slots[0]?.blob_base64 ?? '';
    expect(await errorCodeOf(() => unlockWith(slot({ blob_base64: flip(blob_base64) })))).toBe('tag');
    expect(await errorCodeOf(() => unlockWith(slot({ blob_base64: flip(blob_base64, 0) })))).toBe('version');
    expect(await errorCodeOf(() => unlockWith(slot({ blob_base64: 'AAAA' })))).toBe('short');
    expect(await errorCodeOf(() => unlockWith(slot({ blob_base64: '?' })))).toBe('base64');
  });

  test('rejects a bundle without a slot, with two password slots, or with a slot of another type', async () => {
    const [own] = ada.bundle.slots;
    for (const slots of [[], [own, own], [{ ...own, slot_type: 'recovery' }]]) {
      expect(await errorCodeOf(() => unlockWith({ slots } as Partial<LockedKeyring>))).toBe('kdf');
    }
  });

  test('a foreign, older, damaged or missing keyset is not reported as a wrong password', async () => {
    const { keyset } = ada.bundle;
    expect(await errorCodeOf(() => unlockWith({ keyset: bob.bundle.keyset }))).toBe('certificate');
    expect(await errorCodeOf(() => unlockWith({ keyset: { ...keyset, version: 2 } }))).toBe('certificate');
    expect(
      await errorCodeOf(() => unlockWith({ keyset: { ...keyset, blob_base64: flip(keyset.blob_base64, 300) } })),
    ).toBe('tag');
    expect(await errorCodeOf(() => unlockWith({ keyset: null }))).toBe('certificate');
    expect(await errorCodeOf(() => unlockWith({ certificate: null }))).toBe('certificate');
  });

  test("M13 rejects another person's certificate or key", async () => {
    const { certificate } = ada.bundle;
    expect(await errorCodeOf(() => unlockWith({ certificate: bob.bundle.certificate }))).toBe('certificate');
    const swapped = { ...certificate, rsa_spki_base64: bob.bundle.certificate.rsa_spki_base64 };
    expect(await errorCodeOf(() => unlockWith({ certificate: swapped }))).toBe('signature');
  });
});

test('rejects a certificate and keyset that do not match the private keys', async () => {
  const { user_id: userId } = VECTORS.ids;
  const seed = decodeHex(VECTORS.identity.ed25519_seed_hex);
  const userKey = await importSealingKey(decodeHex(VECTORS.slot.user_key_hex));
  const bundleWith = async (keys: { rsaSpki: string; signer: Bytes; inside: Bytes }) => {
    const { fpr, ...certificate } = await signCertificate(await importSigningKey(keys.signer), {
      userId,
      keysetVersion: 1,
      ed25519: await publicKeyOf(keys.signer),
      rsaSpki: decodeBase64(keys.rsaSpki),
      prevFingerprint: '',
    });
    const keyset = utf8(
      JSON.stringify({
        v: 1,
        rsa_pkcs8_base64: VECTORS.identity.rsa_pkcs8_base64,
        ed25519_seed_base64: encodeBase64(keys.inside),
      }),
    );
    const blob = await seal('keyset', userKey, { userId, keysetVersion: 1, fingerprint: fpr }, keyset);
    return { ...LOCKED_KEYRING, certificate, keyset: { version: 1, blob_base64: encodeBase64(blob) } };
  };
  const kdf: Kdf = { profiles: KDF_PROFILES, defaultProfile: DEFAULT_KDF, argon2id: TEST_KDF.argon2id };
  const open = async (keys: Parameters<typeof bundleWith>[0]) =>
    unlock({ bundle: await bundleWith(keys), masterPassword: VECTORS.kdf.master_password, kdf });
  const own = { rsaSpki: VECTORS.identity.rsa_spki_base64, signer: seed, inside: seed };
  const opened = await open(own);
  expect(opened.fingerprint).toBe(VECTORS.identity.fingerprint_hex);
  // As in release 1.0.
  expect(opened.isMadeWithRecord).toBe(false);
  const foreign = ada.bundle.certificate.rsa_spki_base64;
  expect(await errorCodeOf(() => open({ ...own, rsaSpki: foreign }))).toBe('certificate');
  expect(await errorCodeOf(() => open({ ...own, inside: randomBytes(32) }))).toBe('certificate');
});

describe('P19 a change of the master password', () => {
  test('creates a slot of the default profile for the same keys, which the old password does not open', async () => {
    const before = ada.bundle.slots[0];
    const change = {
      bundle: ada.bundle,
      oldMasterPassword: MASTER_PASSWORD,
      newMasterPassword: 'new one',
      kdf: TEST_KDF,
    };
    const after = await changeMasterPassword(change);
    expect(after).toMatchObject({ slot_type: 'password', kdf: 'T0' });
    expect(after.slot_id).not.toBe(before?.slot_id);
    expect(after.salt_base64).not.toBe(before?.salt_base64);
    expect((await unlockWith({ slots: [after] }, 'new one')).fingerprint).toBe(ada.keyring.fingerprint);
    expect(await errorCodeOf(() => unlockWith({ slots: [after] }))).toBe('commit');
    // The old slot still opens until the server replaces it, so a crash leaves one of them.
    expect((await unlockWith()).fingerprint).toBe(ada.keyring.fingerprint);
  });

  test('M12 uses its own profile and salt, not those of the old slot', async () => {
    const both: Kdf = {
      ...TEST_KDF,
      profiles: { ...TEST_KDF.profiles, T9: { memoryKib: 64, iterations: 1, parallelism: 1 } },
    };
    const change = { bundle: ada.bundle, oldMasterPassword: MASTER_PASSWORD, newMasterPassword: 'n' };
    const weak = await changeMasterPassword({ ...change, kdf: { ...both, defaultProfile: 'T9' } });
    expect(weak.kdf).toBe('T9');
    const again = {
      bundle: { ...ada.bundle, slots: [weak] },
      oldMasterPassword: 'n',
      newMasterPassword: 'o',
      kdf: both,
    };
    expect((await changeMasterPassword(again)).kdf).toBe('T0');
  });

  test.each([
    ['wrong', 'new', 'commit'],
    [MASTER_PASSWORD, '', 'password'],
  ])('from %j to %j → %s', async (oldMasterPassword, newMasterPassword, code) => {
    const change = { bundle: ada.bundle, oldMasterPassword, newMasterPassword, kdf: TEST_KDF };
    expect(await errorCodeOf(() => changeMasterPassword(change))).toBe(code);
  });
});

test('P21 after lock every handle and every group key throws `locked`', async () => {
  const keyring = await unlockWith();
  const groupId = crypto.randomUUID();
  const made = await createGroupKeys(keyring, {
    groupId,
    members: [{ identity: keyring.identity, role: 'admin' }],
    now: 0,
  });
  const wire = {
    gk_version: 1,
    origin: 'client' as const,
    rosters: [{ ...made.wire, signer_certificate: ada.bundle.certificate }],
    grants: made.wire.grants.map((grant) => ({
      ...grant,
      gk_version: 1,
      alg: 'rsa-oaep-256',
      encrypted_aes_password_base64: grant.encrypted_aes_password,
    })),
  };
  const { groupKey } = await openGroup(keyring, wire, groupId);
  const place = {
    entryGroupId: groupId,
    entryId: crypto.randomUUID(),
    fieldId: crypto.randomUUID(),
    type: 'note' as const,
    rev: 1,
  };
  const content = { type: 'note' as const, title: 't', value: utf8('v') };
  const sealed = await sealField(groupKey, place, content);
  const envelope = {
    ...sealed,
    cek_wrapped_base64: sealed.cek_wrapped,
    encrypted_value_base64: sealed.value_encrypted,
  };
  const snapshotPlace = { serverOrigin: 'https://vault.example', timestamp: 1 };
  const snapshot = await sealSnapshot(keyring, snapshotPlace, utf8('{}'));
  const request = { sessionId: 's', method: 'GET', path: '/', bodyDigest: await sha256(utf8('')) };
  keyring.lock();
  for (const use of [
    () => keyring.keys(),
    () => prove(keyring, request, 0),
    () => openGroup(keyring, wire, groupId),
    () => createGroupKeys(keyring, { groupId, members: [{ identity: keyring.identity, role: 'admin' }], now: 0 }),
    () => sealField(groupKey, place, content),
    () => openField(groupKey, place, envelope),
    () => sealField(made.groupKey, place, content),
    () => openSnapshot(keyring, snapshotPlace, snapshot),
  ]) {
    expect(await errorCodeOf(use)).toBe('locked');
  }
});

test('the handles work after a structured clone to another thread', async () => {
  const { identity, keys } = structuredClone({ identity: ada.keyring.identity, keys: ada.keyring.keys() });
  const there = keyringOf(identity, keys);
  const groupId = crypto.randomUUID();
  const made = await createGroupKeys(there, { groupId, members: [{ identity, role: 'admin' }], now: 0 });
  expect(made.wire.grants).toHaveLength(1);
  const place = { serverOrigin: 'https://vault.example', timestamp: 1 };
  expect(await openSnapshot(ada.keyring, place, await sealSnapshot(there, place, utf8('{}')))).toEqual(utf8('{}'));
});

test('a snapshot opens only for its user, origin and time', async () => {
  const place = { serverOrigin: 'https://vault.example', timestamp: 1_795_219_200 };
  const json = utf8('{"trees":[]}');
  const blob = await sealSnapshot(ada.keyring, place, json);
  expect(await openSnapshot(ada.keyring, place, blob)).toEqual(json);
  for (const other of [
    { ...place, timestamp: 1 },
    { ...place, serverOrigin: 'https://vault.example.org' },
  ]) {
    expect(await errorCodeOf(() => openSnapshot(ada.keyring, other, blob))).toBe('commit');
  }
  expect(await errorCodeOf(() => openSnapshot(bob.keyring, place, blob))).toBe('commit');
  const pins = decodeBase64(await sealDocument(ada.keyring, { name: 'pins', n: 2 }, {}));
  expect(await errorCodeOf(() => openSnapshot(ada.keyring, place, pins))).toBe('kind');
});
