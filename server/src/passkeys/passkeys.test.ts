/** Passkeys that open the vault: registering, wraps, removing. */
import { beforeEach, afterEach, expect, test } from 'vitest';
import * as passkeys from '@passwordbroker/core/contract/account/passkeys';
import type { Passkey } from '@passwordbroker/core/contract/account/webauthn';
import { reset as resetFactors } from '@passwordbroker/core/contract/account/factors';
import { confirmPassword, createToken } from '@passwordbroker/core/contract/account/credentials';
import * as offline from '@passwordbroker/core/contract/account/offline';
import * as ownKeys from '@passwordbroker/core/contract/account/own-keys';
import * as people from '@passwordbroker/core/contract/users/people';
import { changeSettings } from '@passwordbroker/core/contract/site/site';
import { keyBundle } from '@passwordbroker/core/contract/users/users';
import { randomBytes } from '@passwordbroker/core/crypto/bytes';
import { unlockWithPasskey, wrapForPasskey } from '@passwordbroker/core/domain/keyring/keyring';
import { rekey } from '@passwordbroker/core/domain/keyring/rekey';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { guard } from '../identity/factors/testing/two-factors.ts';
import { everything } from '../operations/testing/vault.ts';
import { sweep } from '../system/housekeeping.ts';
import { answerAfterEnd } from '../testing/ended-session.ts';
import { startTestApp, type SignedIn, type TestApp } from '../testing/test-app.ts';
import { TEST_KDF } from '../testing/test-person.ts';
import { callWithProof } from '../testing/test-proof.ts';
import { challengeOf } from './challenge.ts';
import { makePasskey } from './testing/authenticator.ts';
import { addPasskey, ORIGIN } from './testing/passkeys.ts';

let app: TestApp;
let ada: SignedIn;
const MINUTE = 60_000;
beforeEach(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
});
afterEach(() => app.stop());

const options = (person = ada) => person.call(passkeys.registrationOptions, { body: { uses: ['unlock'] } });
const naming = { name: 'Laptop', uses: ['unlock' as const], has_prf: true };

const register = async (person = ada, more: object = {}) => (await addPasskey(person, 'unlock', more)).stored;

async function slotFor(passkey: Passkey, prf: Uint8Array<ArrayBuffer>, person = ada) {
  const bundle = await person.call(keyBundle);
  return wrapForPasskey({ bundle, masterPassword: person.masterPassword, passkey, prf, kdf: TEST_KDF });
}

const put = (passkey: Pick<Passkey, 'passkey_id'>, slot: object, version = '0', person = ada) =>
  callWithProof(app, person, passkeys.storeWrap, {
    params: { passkeyId: passkey.passkey_id },
    body: { slot } as never,
    headers: { 'if-match': version },
  });

/** Adds a passkey with a wrap that `prf` opens. */
async function added(person = ada) {
  const [passkey, prf] = [await register(person), randomBytes(32)];
  const slot = await slotFor(passkey, prf, person);
  await put(passkey, slot, '0', person);
  return { passkey, prf, slot };
}

async function refused(act: () => Promise<unknown>, problem: object): Promise<void> {
  const before = await everything(app.deps);
  await expect(act()).rejects.toMatchObject(problem);
  expect(await everything(app.deps)).toBe(before);
}

const own = async (person = ada) => (await person.call(passkeys.listAll)).passkeys;
const events = async (event: string) =>
  (await app.deps.db.read.selectFrom('audit_log').select('audit_id').where('event_type', '=', event).execute()).length;

test('the vector of a challenge', () => {
  expect(challengeOf(`p.${'A'.repeat(43)}`, 'sign_in', '1795219200', 'AAECAwQFBgcICQoLDA0ODw')).toBe(
    'ign-uGRuWb3VZeOTCmi5PbogBQn81IpgA9nrTQQ0wTQ',
  );
});

test('a passkey is registered, its wrap opens the same keys, and both are removed', async () => {
  const { passkey, prf, slot } = await added();
  expect(await own()).toEqual([{ ...passkey, uses: ['unlock'], wrap_version: 1 }]);
  expect(passkey).toMatchObject({ name: 'Laptop', rp_id: 'localhost', is_here: true, uses: [], has_prf: true });
  const bundle = await ada.call(keyBundle);
  expect(bundle.passkeys).toEqual([
    {
      ...slot,
      passkey_id: passkey.passkey_id,
      credential_id: passkey.credential_id,
      rp_id: 'localhost',
      name: 'Laptop',
      version: 1,
    },
  ]);
  const opened = await unlockWithPasskey({ bundle, slotId: slot.slot_id, prf });
  expect(opened.fingerprint).toBe(ada.keyring.fingerprint);

  const params = { passkeyId: passkey.passkey_id };
  await ada.call(passkeys.removeWrap, { params, headers: { 'if-match': '1' } });
  expect((await ada.call(keyBundle)).passkeys).toEqual([]);
  expect(await own()).toEqual([passkey]);
  await put(passkey, await slotFor(passkey, prf));
  await ada.call(passkeys.remove, { params });
  expect([await own(), (await ada.call(keyBundle)).passkeys]).toEqual([[], []]);
  const counts = ['passkey_added', 'unlock_passkey_added', 'unlock_passkey_removed', 'passkey_removed'].map(events);
  expect(await Promise.all(counts)).toEqual([1, 2, 2, 1]);
});

test('options name the present passkeys and the own user handle, and ask for verification', async () => {
  const passkey = await register();
  const { options: asked } = await options();
  expect(asked).toMatchObject({
    rp: { id: 'localhost' },
    user: {
      id: Buffer.from(`${ada.userId.replaceAll('-', '')}01`, 'hex').toString('base64url'),
      name: `${ada.email} (unlock)`,
    },
    excludeCredentials: [{ id: passkey.credential_id, transports: ['internal'] }],
    authenticatorSelection: { userVerification: 'required', residentKey: 'discouraged' },
    attestation: 'none',
  });
});

test('a registration for another challenge, origin, host or person, or without verification, stores nothing', async () => {
  const bob = await app.signUp('bob');
  const notAccepted = { code: 'validation', errors: { attestation: ['The passkey was not accepted'] } };
  const send = (attestation: object, options_token: string, person = ada) =>
    person.call(passkeys.register, { body: { attestation, options_token, ...naming } as never });
  for (const lies of [
    { origin: 'https://evil.example' },
    { rpId: 'evil.example' },
    { challenge: 'AAAA' },
    { crossOrigin: true },
    { isVerified: false },
    { type: 'webauthn.get' },
  ]) {
    const asked = await options();
    await refused(() => send(makePasskey(asked.options, ORIGIN, lies).attestation, asked.options_token), notAccepted);
  }
  const asked = await options();
  const { attestation } = makePasskey(asked.options, ORIGIN);
  await refused(() => send(attestation, asked.options_token, bob), notAccepted);
  await refused(() => send(attestation, 'nonsense'), notAccepted);
  const broken = { ...attestation.response, attestationObject: 'oA' };
  await refused(() => send({ ...attestation, response: broken }, asked.options_token), notAccepted);
  await send(attestation, asked.options_token);
  await refused(() => send(attestation, asked.options_token), notAccepted);

  const late = await options();
  app.clock.advance(10 * MINUTE);
  await ada.call(confirmPassword, { body: { password: ada.password } });
  await refused(() => send(makePasskey(late.options, ORIGIN).attestation, late.options_token), notAccepted);
  await sweep(app.deps);
  expect(await app.deps.db.read.selectFrom('used_challenges').selectAll().execute()).toEqual([]);
});

const rename = (passkey: Pick<Passkey, 'passkey_id'>, name: unknown, person = ada) =>
  person.call(passkeys.rename, { params: { passkeyId: passkey.passkey_id }, body: { name } as never });

test('a passkey of each use is renamed, and keeps everything else', async () => {
  const { passkey, slot } = await added();
  const others = [(await addPasskey(ada, 'sign_in')).stored, (await addPasskey(ada, 'factor')).stored];
  for (const one of [passkey, ...others]) {
    const before = (await own()).find(({ passkey_id }) => passkey_id === one.passkey_id);
    const name = `  ${'Ä'.repeat(LIMITS.passkeyName)} `;
    const { passkey: renamed } = await rename(one, name);
    expect(renamed).toEqual({ ...before, name: name.trim() });
    expect(await own()).toContainEqual(renamed);
  }
  expect((await ada.call(keyBundle)).passkeys).toMatchObject([{ ...slot, name: 'Ä'.repeat(LIMITS.passkeyName) }]);
  expect(await events('passkey_renamed')).toBe(3);
  await rename(passkey, 'Ä'.repeat(LIMITS.passkeyName));
  expect(await events('passkey_renamed')).toBe(3);
  const { read } = app.deps.db;
  const rows = await read.selectFrom('audit_log').selectAll().where('event_type', '=', 'passkey_renamed').execute();
  expect(JSON.stringify(rows)).not.toContain('Ä');
});

test('a bad name renames no passkey', async () => {
  const passkey = await register();
  for (const name of ['', '  ', 'x'.repeat(LIMITS.passkeyName + 1), 'two\nlines', 'a\u0000b', 7, null, undefined]) {
    await refused(() => rename(passkey, name), { code: 'validation', errors: { name: [expect.any(String)] } });
  }
  await refused(() => rename({ passkey_id: crypto.randomUUID() }, 'Phone'), { code: 'not_found' });
});

test('a passkey belongs to one account, and others cannot reach it', async () => {
  const bob = await app.signUp('bob');
  const { passkey, slot } = await added();
  const params = { passkeyId: passkey.passkey_id };
  await refused(() => put(passkey, slot, '1', bob), { code: 'not_found' });
  await refused(() => rename(passkey, 'Mine', bob), { code: 'not_found' });
  await refused(() => bob.call(passkeys.remove, { params }), { code: 'not_found' });
  const headers = { 'if-match': '1' };
  await refused(() => bob.call(passkeys.removeWrap, { params, headers }), { code: 'not_found' });
  expect(await own(bob)).toEqual([]);
});

test('a wrap has its shape and version, an id of its own, and a passkey with PRF', async () => {
  const [passkey, prf] = [await register(), randomBytes(32)];
  const slot = await slotFor(passkey, prf);
  for (const wrong of [
    { kdf: 'A1' },
    { kdf: 'W2' },
    { salt_base64: 'AAAAAAAAAAA=' },
    { blob_base64: Buffer.alloc(116).toString('base64') },
  ]) {
    await refused(() => put(passkey, { ...slot, ...wrong }), { code: 'bad_sealed_value' });
  }
  await refused(() => put(passkey, slot, '1'), { code: 'slot_conflict', details: { current_version: 0 } });
  await put(passkey, slot);
  await refused(() => put(passkey, slot, '0'), { code: 'slot_conflict', details: { current_version: 1 } });
  const other = await register();
  await refused(() => put(other, slot), { code: 'id_taken' });
  const plain = await register(ada, { has_prf: false });
  await refused(() => put(plain, { ...slot, slot_id: crypto.randomUUID() }), {
    code: 'conflict',
    message: 'This passkey cannot open a vault',
  });
});

test('changing passkeys needs a fresh sign-in in a browser, a wrap also the open vault', async () => {
  const { passkey, slot } = await added();
  const params = { passkeyId: passkey.passkey_id };
  const headers = { 'if-match': '1' };
  const withoutProof = () => ada.call(passkeys.storeWrap, { params, headers, body: { slot } });
  await refused(withoutProof, { code: 'validation' });
  const { token } = await ada.call(createToken, { body: { token_name: 'script' } });
  const bearer = { headers: { authorization: `Bearer ${token}` } };
  for (const [path, method] of [
    ['factors/passkeys', 'GET'],
    ['factors/passkeys/options', 'POST'],
    [`factors/passkeys/${passkey.passkey_id}`, 'PUT'],
    [`factors/passkeys/${passkey.passkey_id}`, 'DELETE'],
    [`keyBundle/passkeys/${passkey.passkey_id}`, 'DELETE'],
  ] as const) {
    const json = { POST: { json: { uses: ['unlock'] } }, PUT: { json: { name: 'Phone' } }, GET: {}, DELETE: {} }[
      method
    ];
    const answer = await app.guest().request({ path: `/identity/api/${path}`, method, ...bearer, ...json });
    expect([answer.status, answer.json()['code']]).toEqual([403, 'forbidden']);
  }
  app.clock.advance(11 * MINUTE);
  const stale = { code: 'reauth_required' };
  await refused(() => options(), stale);
  await refused(() => put(passkey, slot, '1'), stale);
  await refused(() => rename(passkey, 'Phone'), stale);
  await refused(() => ada.call(passkeys.remove, { params }), stale);
  await refused(() => ada.call(passkeys.removeWrap, { params, headers }), stale);
  expect(await own()).toHaveLength(1);
});

test('I67, I68: new keys and a reset of keys remove the wraps; another master password leaves them', async () => {
  const { prf, slot } = await added();
  const bundle = await ada.call(keyBundle);
  const { grants } = await ada.call(ownKeys.grants);
  const made = await rekey(ada.keyring, {
    masterPassword: 'another one',
    kdf: TEST_KDF,
    grants,
    documents: bundle.documents,
    record: null,
  });
  const headers = { 'if-match': '1' };
  await callWithProof(app, ada, ownKeys.rekey, { params: {}, body: made.wire as never, headers });
  expect((await ada.call(keyBundle)).passkeys).toEqual([]);
  expect(await own()).toMatchObject([{ uses: [], wrap_version: 0 }]);
  expect(await unlockWithPasskey({ bundle, slotId: slot.slot_id, prf })).toBeDefined();

  const bob = await app.signUp('bob');
  await added(bob);
  await ada.call(people.resetKeys, { params: { id: bob.userId }, body: { confirm_groups: [] } });
  expect(await app.deps.db.read.selectFrom('user_prf_slots').selectAll().execute()).toEqual([]);
});

test('a site that switches it off removes every wrap, and refuses new ones', async () => {
  const { passkey, slot } = await added();
  await ada.call(changeSettings, { body: { passkey_unlock: 'off' } });
  expect((await ada.call(keyBundle)).passkeys).toEqual([]);
  expect((await ada.call(passkeys.listAll)).can_unlock).toBe(false);
  const off = { code: 'forbidden', message: 'On this site, passkeys do not open the vault.' };
  await refused(() => options(), off);
  await refused(() => put(passkey, slot), off);
});

test('a copy is told that its keys are old when a wrap comes or goes', async () => {
  const { userApplication } = await ada.call(offline.openApplication, { body: { clientId: crypto.randomUUID() } });
  const params = { id: userApplication.user_application_id };
  await ada.call(offline.setMode, { params, body: { status: true } });
  const fetched = () =>
    ada.call(offline.privateRsa, { query: { user_application_id: userApplication.user_application_id } });
  const isStale = async () => (await ada.call(offline.isKeyStale, { params })).status;
  await fetched();
  const passkey = await register();
  expect(await isStale()).toBe(false);
  await put(passkey, await slotFor(passkey, randomBytes(32)));
  expect(await isStale()).toBe(true);
  const copied = JSON.parse(Buffer.from((await fetched()).rsa_private_key_base64, 'base64').toString());
  expect([copied.passkeys.length, await isStale()]).toEqual([1, false]);
  await ada.call(passkeys.remove, { params: { passkeyId: passkey.passkey_id } });
  expect(await isStale()).toBe(true);
});

test('I102: under another host a passkey stays listed and opens nothing; without a host name passkeys are off', async () => {
  const { passkey, slot } = await added();
  await app.deps.db.transact(async (tx) => {
    await tx.updateTable('user_passkeys').set({ rp_id: 'old.example' }).execute();
  });
  expect(await own()).toMatchObject([{ rp_id: 'old.example', is_here: false }]);
  await refused(() => put(passkey, slot, '1'), { code: 'conflict' });
  const numeric = await startTestApp({ environment: { PUBLIC_URL: 'http://127.0.0.1:8080' } });
  try {
    const eve = await numeric.signUp('eve');
    await expect(options(eve)).rejects.toMatchObject({
      code: 'forbidden',
      message: 'Passkeys need a host name, and HTTPS beyond this machine.',
    });
  } finally {
    await numeric.stop();
  }
});

test('I78: no passkey has two uses, and none opens the vault under a host above this one', async () => {
  const uses = (...given: ('unlock' | 'sign_in')[]) =>
    ada.call(passkeys.registrationOptions, { body: { uses: given } });
  await refused(() => uses('unlock', 'sign_in'), { code: 'conflict' });
  const environment = { PUBLIC_URL: 'https://vault.example.org', WEBAUTHN_RP_ID: 'example.org', TRUST_PROXY: 'none' };
  const above = await startTestApp({ environment });
  try {
    const eve = await above.signUp('eve');
    await expect(options(eve)).rejects.toMatchObject({ code: 'forbidden' });
    expect(await eve.call(passkeys.listAll)).toMatchObject({ can_unlock: false, can_sign_in: true });
  } finally {
    await above.stop();
  }
});

test('a reset of second factors removes passkeys and their wraps, the master password stays', async () => {
  const bob = await app.signUp('bob');
  await added(bob);
  await guard(app, bob);
  await ada.call(resetFactors, { params: { id: bob.userId } });
  const { read } = app.deps.db;
  expect(await read.selectFrom('user_passkeys').selectAll().execute()).toEqual([]);
  expect(await read.selectFrom('user_prf_slots').selectAll().execute()).toEqual([]);
  expect(
    await read.selectFrom('user_key_slots').select('slot_type').where('user_id', '=', bob.userId).execute(),
  ).toEqual([{ slot_type: 'password' }]);
});

test('a session that ends while it renames a passkey renames none', async () => {
  const { passkey_id, name } = await register();
  const path = `/identity/api/factors/passkeys/${passkey_id}`;
  const send = () => ada.request({ path, method: 'PUT', json: { name: 'Phone' } });
  expect((await answerAfterEnd(app, ada.userId, send)).status).toBe(401);
  expect(await app.deps.db.read.selectFrom('user_passkeys').select('name').execute()).toEqual([{ name }]);
});

test('a session that ends while it registers a passkey registers none', async () => {
  const asked = await options();
  const { attestation } = makePasskey(asked.options, ORIGIN);
  const json = { attestation, options_token: asked.options_token, ...naming };
  const register = () => ada.request({ path: passkeys.register.path, json });
  expect((await answerAfterEnd(app, ada.userId, register)).status).toBe(401);
  expect(await app.deps.db.read.selectFrom('user_passkeys').selectAll().execute()).toEqual([]);
});
