import { afterEach, beforeEach, expect, test } from 'vitest';
import { confirmPassword } from '@passwordbroker/core/contract/account/credentials';
import { fillPath } from '@passwordbroker/core/contract/endpoint';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import { changeMasterPassword, writeDocument } from '@passwordbroker/core/contract/account/own-keys';
import * as people from '@passwordbroker/core/contract/users/people';
import { login } from '@passwordbroker/core/contract/account/session';
import * as site from '@passwordbroker/core/contract/site/site';
import { register } from '@passwordbroker/core/contract/users/users';
import { openDocument, sealDocument } from '@passwordbroker/core/domain/keyring/documents';
import { unlock } from '@passwordbroker/core/domain/keyring/keyring';
import { everything } from '../operations/testing/vault.ts';
import { createSealedPlace, sealedField } from '../testing/sealed-place.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { MINUTE } from '../testing/test-clock.ts';
import { TEST_KDF } from '../testing/test-person.ts';
import { callWithProof } from '../testing/test-proof.ts';
import { readKeyBundle } from '../users/keys/key-repository.ts';

let app: TestApp;
let ada: SignedIn;
beforeEach(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
});
afterEach(() => app.stop());

const NEW = 'néw master password';
const change = (more: object = {}) =>
  ada.call(changeMasterPassword, {
    body: {
      master_password: ada.masterPassword,
      new_master_password: NEW,
      new_master_password_confirmation: NEW,
      ...more,
    },
  });
const keysOf = async () => {
  const bundle = await readKeyBundle(app.deps.db, ada.userId);
  if (bundle === undefined) throw new Error('no bundle');
  return bundle;
};
const opens = async (masterPassword: string) =>
  unlock({ bundle: await keysOf(), masterPassword, kdf: TEST_KDF }).then(
    ({ fingerprint }) => fingerprint,
    (error: unknown) => (error as { code: string }).code,
  );
async function refused(act: () => Promise<unknown>, problem: object): Promise<void> {
  const before = await keysOf();
  await expect(act()).rejects.toMatchObject(problem);
  expect(await keysOf()).toEqual(before);
}

test('the password slot is replaced, the keys stay, and the use of both passwords on the server is recorded', async () => {
  const before = await keysOf();
  app.clock.advance(1000);
  expect(await change()).toMatchObject({
    user_id: ada.userId,
    has_keys: true,
    mp_exposed_at: new Date(app.clock.now()).toISOString(),
  });
  const after = await keysOf();
  expect({ ...after, slots: [] }).toEqual({ ...before, slots: [] });
  expect(after.slots).toMatchObject([{ slot_type: 'password', version: 2, kdf: 'T0' }]);
  expect([await opens(NEW), await opens(ada.masterPassword)]).toEqual([ada.keyring.fingerprint, 'commit']);
  const events = await app.deps.db.read
    .selectFrom('audit_log')
    .select('event_type')
    .where('event_type', 'in', ['keys_changed', 'mp_used_on_server', 'mp_refused'])
    .execute();
  expect(events.map(({ event_type }) => event_type).sort()).toEqual(['keys_changed', 'mp_used_on_server']);
  expect(app.log.join('\n')).not.toContain(NEW);
});

test('all errors are reported at once, before a key is derived', async () => {
  const before = await everything(app.deps);
  await refused(() => ada.call(changeMasterPassword, { body: {} }), {
    code: 'validation',
    errors: {
      master_password: ['MasterPassword is missing'],
      new_master_password: ['Master Password is empty'],
    },
  });
  await refused(() => change({ new_master_password_confirmation: 'other' }), {
    errors: { new_master_password_confirmation: ['Master Password Confirmation mismatch to Master Password'] },
  });
  const long = 'x'.repeat(1025);
  await refused(() => change({ new_master_password: long, new_master_password_confirmation: long }), {
    errors: { new_master_password: ['The new master password is too long (at most 1024 characters).'] },
  });
  await refused(() => change({ new_master_password: 7, new_master_password_confirmation: 7 }), {
    errors: { new_master_password: ['The new master password must be a text.'] },
  });
  await refused(() => change({ rotate_keys: 'maybe' }), { status: 422 });
  await refused(() => ada.call(changeMasterPassword, { body: { key_bundle: {} } }), {
    errors: { key_bundle: ['The key bundle is not expected.'] },
  });
  expect(await everything(app.deps)).toBe(before);
});

test('the present master password must be right', async () => {
  await refused(() => change({ master_password: 'wrong' }), {
    code: 'master_password_invalid',
    errors: { master_password: ['MasterPassword is invalid'] },
  });
});

test('with new keys all values stay readable, and the use of the master password on the server is recorded', async () => {
  const place = await createSealedPlace(ada);
  const field = await sealedField(place);
  await ada.call(fields.create, { params: place, body: field });
  const pins = await sealDocument(ada.keyring, { name: 'pins', n: 1 }, { bob: 'trusted' });
  await callWithProof(app, ada, writeDocument, {
    params: { name: 'pins' },
    body: { blob_base64: pins },
    headers: { 'if-match': '0' },
  });
  expect(await change({ rotate_keys: true })).toMatchObject({ has_keys: true, mp_exposed_at: expect.any(String) });
  const after = await keysOf();
  expect([after.keyset?.version, after.slots[0]?.version, after.documents[0]?.version]).toEqual([2, 2, 2]);
  const opened = await unlock({ bundle: after, masterPassword: NEW, kdf: TEST_KDF });
  expect(opened.fingerprint).not.toBe(ada.keyring.fingerprint);
  const document = await openDocument(
    opened,
    { name: 'pins', n: 2 },
    after.documents[0]?.blob_base64 ?? '',
    (raw) => raw,
  );
  expect(document).toEqual({ bob: 'trusted' });
  const revealed = await ada.request({
    path: fillPath(fields.decrypted.path, { ...place, f: field.field_id }),
    json: { master_password: NEW },
  });
  expect(Buffer.from(revealed.text, 'base64').toString()).toBe('s3cr3t');
});

test('an account created by an admin gets new keys with its new master password (T95)', async () => {
  const secrets = {
    password: 'pw',
    password_confirmation: 'pw',
    master_password: 'mp',
    master_password_confirmation: 'mp',
  };
  const made = await ada.call(register, { body: { user: { username: 'eve', email: 'eve@example.org', ...secrets } } });
  expect(made.must_rekey).toBe(true);
  const eve = app.guest();
  await eve.call(login, { body: { email: 'eve@example.org', password: 'pw' } });
  const body = { master_password: 'mp', new_master_password: 'own', new_master_password_confirmation: 'own' };
  expect(await eve.call(changeMasterPassword, { body })).toMatchObject({ must_rekey: false });
  const bundle = await readKeyBundle(app.deps.db, made.user_id);
  expect(bundle?.certificate).toMatchObject({ keyset_version: 2, sig_prev_base64: null });
  await expect(eve.call(changeMasterPassword, { body })).rejects.toMatchObject({ code: 'master_password_invalid' });
});

test('first keys of an account without keys need a fresh account password and no master password (T22)', async () => {
  const bob = await app.signUp('bob');
  await ada.call(people.resetKeys, { params: { id: bob.userId }, body: {} });
  const again = await app.signIn(bob);
  const body = { new_master_password: NEW, new_master_password_confirmation: NEW };
  const make = () => again.call(changeMasterPassword, { body });
  app.clock.advance(10 * MINUTE);
  await expect(make()).rejects.toMatchObject({ code: 'reauth_required' });
  await again.call(confirmPassword, { body: { password: bob.password } });
  expect(await make()).toMatchObject({ has_keys: true });
  const bundle = await readKeyBundle(app.deps.db, bob.userId);
  expect(bundle?.certificate).toMatchObject({ keyset_version: 1, prev_fpr: '' });
  await unlock({ bundle: bundle!, masterPassword: NEW, kdf: TEST_KDF });
});

test('a weak one is refused under the strict policy', async () => {
  await ada.call(site.changeSettings, { body: { password_policy: 'strict' } });
  const weak = { new_master_password: 'letmein12345', new_master_password_confirmation: 'letmein12345' };
  await refused(() => change(weak), {
    errors: { new_master_password: ['This password is easy to guess. Choose a longer one.'] },
  });
});

test('of two concurrent changes one is stored', async () => {
  const results = await Promise.allSettled([
    change(),
    change({ new_master_password: 'other', new_master_password_confirmation: 'other' }),
  ]);
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  for (const result of results) {
    if (result.status === 'rejected')
      expect(result.reason).toMatchObject({ code: expect.stringMatching(/^(conflict|master_password_invalid)$/) });
  }
  expect(await opens(results[0].status === 'fulfilled' ? NEW : 'other')).toBe(ada.keyring.fingerprint);
});

test('this call is closed where the server sees no master passwords', async () => {
  const other = await startTestApp({ environment: { SERVER_CRYPTO: 'off' } });
  const eve = await other.signUp('eve');
  await expect(eve.call(changeMasterPassword, { body: {} })).rejects.toMatchObject({ code: 'server_crypto_disabled' });
  await other.stop();
});
