import { afterEach, beforeEach, expect, test } from 'vitest';
import { confirmPassword } from '@passwordbroker/core/contract/account/credentials';
import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import type { KeyBundle } from '@passwordbroker/core/contract/entities';
import * as ownKeys from '@passwordbroker/core/contract/account/own-keys';
import * as people from '@passwordbroker/core/contract/users/people';
import * as session from '@passwordbroker/core/contract/account/session';
import { certificates, keyBundle } from '@passwordbroker/core/contract/users/users';
import { encodeBase64 } from '@passwordbroker/core/crypto/bytes';
import { sign } from '@passwordbroker/core/crypto/ed25519';
import {
  certificateMessage,
  signCertificate,
  verifyCertificate,
  followCertificates,
} from '@passwordbroker/core/domain/keyring/certificate';
import { sealDocument } from '@passwordbroker/core/domain/keyring/documents';
import { openGroup } from '@passwordbroker/core/domain/groups/group-keys';
import { createKeyring, unlock } from '@passwordbroker/core/domain/keyring/keyring';
import type { Keyring } from '@passwordbroker/core/domain/keyring/keyring';
import { rekey } from '@passwordbroker/core/domain/keyring/rekey';
import type { RekeyWire } from '@passwordbroker/core/domain/keyring/rekey';
import { everything } from '../operations/testing/vault.ts';
import { createSealedPlace } from '../testing/sealed-place.ts';
import type { SealedPlace } from '../testing/sealed-place.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { MINUTE } from '../testing/test-clock.ts';
import { TEST_KDF } from '../testing/test-person.ts';
import { callWithProof } from '../testing/test-proof.ts';

const NEW = 'chosen by the owner';

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
let place: SealedPlace;
beforeEach(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
  bob = await app.signUp('bob');
  place = await createSealedPlace(bob, { name: 'Team' });
});
afterEach(() => app.stop());

/** The request of Bob's client for new keys. */
async function newKeys(): Promise<{ keyring: Keyring; wire: RekeyWire }> {
  const { documents } = await bob.call(keyBundle);
  const { grants } = await bob.call(ownKeys.grants);
  return rekey(bob.keyring, { masterPassword: NEW, kdf: TEST_KDF, grants, documents, record: null });
}
const put = (body: object, version = '1'): Promise<KeyBundle> =>
  callWithProof(app, bob, ownKeys.rekey, { params: {}, body, headers: { 'if-match': version } });
async function refused(act: () => Promise<unknown>, problem: object): Promise<void> {
  const before = await everything(app.deps);
  await expect(act()).rejects.toMatchObject(problem);
  expect(await everything(app.deps)).toBe(before);
}
const isDue = async () => (await bob.call(groups.get, { params: place })).entryGroup.rotation_due;

test('an account that an admin created gets new keys that only its owner knows (T95)', async () => {
  await callWithProof(app, bob, ownKeys.writeDocument, {
    params: { name: 'pins' },
    body: { blob_base64: await sealDocument(bob.keyring, { name: 'pins', n: 1 }, {}) },
    headers: { 'if-match': '0' },
  });
  expect((await bob.call(session.me)).user).toMatchObject({ must_rekey: true });
  const { keyring, wire } = await newKeys();
  const bundle = await put(wire);
  expect(bundle).toMatchObject({
    must_rekey: false,
    keyset: { version: 2 },
    certificate: { fpr: keyring.fingerprint, keyset_version: 2 },
    slots: [{ slot_type: 'password', version: 2 }],
    documents: [
      { name: 'pins', version: 2 },
      { name: 'trust', version: 2 },
    ],
  });
  expect((await bob.call(session.me)).user).toMatchObject({ must_rekey: false, has_keys: true, mp_exposed_at: null });
  expect((await unlock({ bundle, masterPassword: NEW, kdf: TEST_KDF })).fingerprint).toBe(keyring.fingerprint);
  await expect(unlock({ bundle, masterPassword: bob.masterPassword, kdf: TEST_KDF })).rejects.toMatchObject({
    code: 'commit',
  });
  // His groups open only with the new key and need a rotation.
  const keys = await bob.call(groups.roster, { params: place, query: {} });
  expect((await openGroup(keyring, keys, place.g)).groupKey.version).toBe(1);
  await expect(openGroup(bob.keyring, keys, place.g)).rejects.toMatchObject({ code: 'grant' });
  expect(await isDue()).toBe(true);
  const shown = await ada.call(certificates, { params: { id: bob.userId } });
  expect([shown.certificate.fpr, shown.previous.map(({ fpr }) => fpr)]).toEqual([
    keyring.fingerprint,
    [bob.keyring.fingerprint],
  ]);
  // Only the new key can sign proofs now.
  await expect(put(wire, '2')).rejects.toMatchObject({ code: 'proof_invalid' });
  const events = await app.deps.db.read
    .selectFrom('audit_log')
    .select(['user_id', 'details'])
    .where('event_type', '=', 'keys_changed')
    .execute();
  expect(events).toEqual([{ user_id: bob.userId, details: '{"keyset_version":2}' }]);
});

test('new keys need a proof, the current version, and every grant and document', async () => {
  const { wire } = await newKeys();
  const request = { method: 'PUT', path: '/identity/api/keyBundle', json: wire };
  expect((await bob.request({ ...request, headers: { 'if-match': '1' } })).json()['errors']).toEqual({
    master_password: ['MasterPassword is missing'],
  });
  await refused(() => put(wire, 'x'), { code: 'bad_request' });
  for (const version of ['0', '2']) {
    await refused(() => put(wire, version), { code: 'slot_conflict', details: { current_version: 1 } });
  }
  const [grant] = wire.grants;
  for (const grants of [
    [],
    [grant, grant],
    [{ ...grant, gk_version: 2 }],
    [{ ...grant, role: 'member' }],
    [grant, { ...grant, entry_group_id: app.deps.newId() }],
  ]) {
    await refused(() => put({ ...wire, grants }), { code: 'rewrap_set_mismatch' });
  }
  await refused(() => put({ ...wire, grants: [{ ...grant, recipient_fpr: bob.keyring.fingerprint }] }), {
    code: 'bad_sealed_value',
    errors: { 'grants.0.recipient_fpr': ['The recipient fpr is malformed.'] },
  });
  await refused(() => put({ ...wire, grants: [{ ...grant, encrypted_aes_password: 'AAAA' }] }), {
    code: 'bad_sealed_value',
  });
  const blob_base64 = await sealDocument(bob.keyring, { name: 'pins', n: 1 }, {});
  await callWithProof(app, bob, ownKeys.writeDocument, {
    params: { name: 'pins' },
    body: { blob_base64 },
    headers: { 'if-match': '0' },
  });
  await refused(() => put(wire), { code: 'slot_conflict', details: { current_version: 1, document: 'pins' } });
  const [trust] = wire.documents;
  await refused(() => put({ ...wire, documents: [trust, { name: 'pins', version: 2, blob_base64 }] }), {
    code: 'slot_conflict',
    details: { current_version: 1, document: 'pins' },
  });
  await refused(() => put({ ...wire, documents: [trust, { name: 'pins', version: 1, blob_base64: 'AAAA' }] }), {
    code: 'bad_sealed_value',
  });
});

test('a bundle that does not follow the current one is refused', async () => {
  const { wire } = await newKeys();
  const { key_bundle } = wire;
  const { certificate, keyset, slots } = key_bundle;
  for (const [member, changed] of [
    ['certificate.keyset_version', { certificate: { ...certificate, keyset_version: 3 } }],
    ['certificate.user_id', { certificate: { ...certificate, user_id: ada.userId } }],
    ['certificate.prev_fpr', { certificate: { ...certificate, prev_fpr: ada.keyring.fingerprint } }],
    ['certificate.sig_base64', { certificate: { ...certificate, prev_fpr: bob.keyring.fingerprint } }],
    ['keyset.version', { keyset: { ...keyset, version: 1 } }],
    ['slots', { slots: [{ ...slots[0], slot_type: 'recovery', kdf: 'R1', salt_base64: '' }] }],
    ['slots.0.kdf', { slots: [{ ...slots[0], kdf: 'L0' }] }],
  ] as const) {
    const text = `The ${member.split('.').at(-1)?.replaceAll('_', ' ')} is malformed.`;
    await refused(() => put({ ...wire, key_bundle: { ...key_bundle, ...changed } }), {
      code: 'bad_sealed_value',
      errors: { [`key_bundle.${member}`]: [text] },
    });
  }
  // A slot id of another person is refused.
  const [own] = slots;
  const taken = [{ ...own, slot_id: ada.bundle.slots[0]?.slot_id }];
  await refused(() => put({ ...wire, key_bundle: { ...key_bundle, slots: taken } }), { code: 'id_taken' });
});

test('the former key may certify the new one if only its owner knew it, and only with a valid signature', async () => {
  const { grants } = await ada.call(ownKeys.grants);
  const { documents } = await ada.call(keyBundle);
  const made = await rekey(ada.keyring, { masterPassword: NEW, kdf: TEST_KDF, grants, documents, record: null });
  const { identity, keys } = { identity: made.keyring.identity, keys: made.keyring.keys() };
  const certified = { ...identity, prevFingerprint: ada.keyring.fingerprint };
  const { fpr: _, ...certificate } = await signCertificate(keys.signingKey, certified);
  const message = certificateMessage(certified);
  const send = async (signature: string, person = ada) =>
    callWithProof(app, person, ownKeys.rekey, {
      params: {},
      body: {
        ...made.wire,
        key_bundle: { ...made.wire.key_bundle, certificate: { ...certificate, sig_prev_base64: signature } },
      },
      headers: { 'if-match': '1' },
    });
  await refused(async () => send(encodeBase64(await sign(bob.keyring.keys().signingKey, message))), {
    errors: { 'key_bundle.certificate.sig_prev_base64': ['The sig prev base64 is malformed.'] },
  });
  const bundle = await send(encodeBase64(await sign(ada.keyring.keys().signingKey, message)));
  const { certificate: present, previous } = await bob.call(certificates, { params: { id: ada.userId } });
  expect(bundle.certificate).toEqual(present);
  const chain = await followCertificates(present, previous);
  expect(chain.fingerprints).toEqual([made.keyring.fingerprint, ada.keyring.fingerprint]);
});

test('of two concurrent requests one succeeds', async () => {
  const [one, two] = [await newKeys(), await newKeys()];
  const results = await Promise.allSettled([put(one.wire), put(two.wire)]);
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test('after a reset the first keys need a fresh sign-in but no proof, and others see the new key (T22, T113)', async () => {
  await ada.call(people.resetKeys, { params: { id: bob.userId }, body: { confirm_groups: [place.g] } });
  const again = await app.signIn(bob);
  const { keyring, bundle, trust } = await createKeyring({ userId: bob.userId, masterPassword: NEW, kdf: TEST_KDF });
  const make = () =>
    again.call(ownKeys.rekey, {
      body: { key_bundle: bundle, documents: [trust], grants: [] },
      headers: { 'if-match': '0' },
    });
  app.clock.advance(10 * MINUTE);
  await expect(make()).rejects.toMatchObject({ code: 'reauth_required' });
  await again.call(confirmPassword, { body: { password: bob.password } });
  expect(await make()).toMatchObject({ keyset: { version: 1 }, certificate: { fpr: keyring.fingerprint } });
  // With keys in place a proof is required.
  await expect(make()).rejects.toMatchObject({ code: 'validation' });
  const shown = await ada.call(certificates, { params: { id: bob.userId } });
  expect([shown.certificate.fpr, shown.previous.map(({ fpr }) => fpr)]).toEqual([
    keyring.fingerprint,
    [bob.keyring.fingerprint],
  ]);
  expect((await verifyCertificate(shown.certificate)).prevFingerprint).toBe('');
  const fresh = Object.assign(again, { keyring });
  const made = await createSealedPlace(fresh, { name: 'New' });
  expect((await fresh.call(groups.get, { params: made })).role.fpr).toBe(keyring.fingerprint);
});
