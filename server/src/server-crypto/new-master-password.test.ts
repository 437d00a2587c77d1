import { afterEach, beforeEach, expect, test } from 'vitest';
import { changeMasterPassword } from '@passwordbroker/core/contract/own-keys';
import { unlock } from '@passwordbroker/core/domain/keyring';
import { everything } from '../operations/testing/vault.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { TEST_KDF } from '../testing/test-person.ts';
import { readKeyBundle } from '../users/key-repository.ts';

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

test('the password slot is written anew, the keys stay, and it is on record that the server saw both', async () => {
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

test('everything that is wrong is told at once, before anything is derived', async () => {
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

test('the present one has to be right', async () => {
  await refused(() => change({ master_password: 'wrong' }), {
    code: 'master_password_invalid',
    errors: { master_password: ['MasterPassword is invalid'] },
  });
});

test('all keys anew is for later', async () => {
  await refused(() => change({ rotate_keys: true }), {
    code: 'conflict',
    message: 'Changing all keys is not possible yet: leave rotate_keys out',
  });
});

test('of two at once one is stored', async () => {
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

test('where the server sees no master passwords, this call is closed', async () => {
  const other = await startTestApp({ environment: { SERVER_CRYPTO: 'off' } });
  const eve = await other.signUp('eve');
  await expect(eve.call(changeMasterPassword, { body: {} })).rejects.toMatchObject({ code: 'server_crypto_disabled' });
  await other.stop();
});
