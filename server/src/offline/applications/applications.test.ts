/** Applications, and the key and the salt of a copy. */
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as offline from '@passwordbroker/core/contract/account/offline';
import { replaceSlot } from '@passwordbroker/core/contract/account/own-keys';
import * as people from '@passwordbroker/core/contract/users/people';
import { createToken } from '@passwordbroker/core/contract/account/credentials';
import { keyBundle } from '@passwordbroker/core/contract/users/users';
import { unlock } from '@passwordbroker/core/domain/keyring/keyring';
import { auditOf } from '../../operations/testing/vault.ts';
import { ATTEMPT_LIMITS } from '../../platform/passwords/attempts.ts';
import { addAttempt } from '../../platform/passwords/attempts-repository.ts';
import { startTestApp } from '../../testing/test-app.ts';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';
import { TEST_KDF } from '../../testing/test-person.ts';
import { callWithProof } from '../../testing/test-proof.ts';

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
beforeAll(async () => {
  app = await startTestApp();
  [ada, bob] = [await app.signUp('ada'), await app.signUp('bob')];
});
afterAll(() => app.stop());

const open = async (person: SignedIn, clientId: string = v7()) =>
  (await person.call(offline.openApplication, { body: { clientId } })).userApplication;
const standingOf = async (id: string) => (await app.guest().call(offline.standing, { params: { id } })).standing;
const allow = (value: boolean) =>
  app.deps.db.transact((tx) =>
    tx
      .insertInto('site_settings')
      .values({ name: 'offline_allowed', value: String(value), updated_at: 0 })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: String(value) }))
      .execute(),
  );

describe('an application', () => {
  test('is created once for a client id and person, and returned after that', async () => {
    const clientId = v7();
    const json = { clientId };
    const first = await ada.request({ path: offline.openApplication.path, json });
    expect(first.status).toBe(201);
    const now = new Date(app.clock.now()).toISOString();
    const { userApplication } = first.json<{ userApplication: offline.UserApplication }>();
    expect(userApplication).toEqual({
      user_application_id: expect.any(String),
      user_id: ada.userId,
      client_id: clientId,
      is_offline_database_mode: false,
      is_offline_database_required_update: true,
      is_rsa_private_required_update: true,
      offline_database_fetched_at: null,
      rsa_private_fetched_at: null,
      created_at: now,
      updated_at: now,
    });
    const again = await ada.request({ path: offline.openApplication.path, json });
    expect([again.status, again.json()]).toEqual([200, { userApplication }]);
    const id = userApplication.user_application_id;
    expect((await ada.call(offline.application, { params: { id: id.toUpperCase() } })).userApplication).toEqual(
      userApplication,
    );
    expect(await ada.call(offline.applications)).toContainEqual(userApplication);
    // Another person in the same browser gets another application.
    const his = await open(bob, clientId);
    expect(his.user_application_id).not.toBe(id);
    expect(await bob.call(offline.applications)).toEqual([his]);
  });

  test.each([undefined, '', 'x', 7])('is not created for the client id %j', async (clientId) => {
    const answer = await ada.request({ path: offline.openApplication.path, json: { clientId } });
    expect([answer.status, Object.keys(answer.json<{ errors: object }>().errors)]).toEqual([422, ['clientId']]);
  });

  test('keeps its offline mode, and each change of it is logged', async () => {
    const { user_application_id: id } = await open(ada);
    const mode = async () => (await ada.call(offline.mode, { params: { id } })).status;
    expect(await mode()).toBe(false);
    for (const status of [true, true]) {
      expect(await ada.call(offline.setMode, { params: { id }, body: { status } })).toEqual({ status });
      expect(await mode()).toBe(true);
    }
    await ada.call(offline.setMode, { params: { id }, body: { status: false } });
    expect(await mode()).toBe(false);
    const told = await auditOf(app.deps, 'offline_mode_changed', id);
    expect(told.map(({ user_id, target_type, details }) => [user_id, target_type, details])).toEqual([
      [ada.userId, 'user_application', '{"status":true}'],
      [ada.userId, 'user_application', '{"status":false}'],
    ]);
    const refused = await ada.request({
      method: 'PUT',
      path: `/identity/api/userApplication/${id}/offlineDatabaseMode`,
      json: {},
    });
    expect(refused.status).toBe(422);
  });

  test('can be forgotten, which switches its offline mode off', async () => {
    const { user_application_id: id } = await open(ada);
    await ada.call(offline.setMode, { params: { id }, body: { status: true } });
    await ada.call(offline.forgetApplication, { params: { id } });
    await expect(ada.call(offline.application, { params: { id } })).rejects.toMatchObject({ code: 'not_found' });
    expect(await auditOf(app.deps, 'offline_mode_changed', id)).toHaveLength(2);
  });

  test('is switched and forgotten once by concurrent requests, and each change is logged once', async () => {
    const { user_application_id: id } = await open(ada);
    const five = <T>(act: () => Promise<T>) => Promise.all(Array.from({ length: 5 }, act));
    await five(() => ada.call(offline.setMode, { params: { id }, body: { status: true } }));
    expect(await auditOf(app.deps, 'offline_mode_changed', id)).toHaveLength(1);
    const path = `/identity/api/userApplication/${id}`;
    const answers = await five(() => ada.request({ method: 'DELETE', path }));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 404, 404, 404, 404]);
    expect(await auditOf(app.deps, 'offline_mode_changed', id)).toHaveLength(2);
  });

  test('can be switched off but not on if the site forbids copies', async () => {
    const { user_application_id: id } = await open(ada);
    await ada.call(offline.setMode, { params: { id }, body: { status: true } });
    const query = { user_application_id: id };
    const cursor = (await ada.call(offline.entryGroupsWithFields, { query })).cursor;
    expect(await standingOf(id)).toBe('kept');
    await allow(false);
    try {
      await expect(ada.call(offline.setMode, { params: { id }, body: { status: true } })).rejects.toMatchObject({
        code: 'forbidden',
      });
      await expect(ada.call(offline.entryGroupsWithFields)).rejects.toMatchObject({ code: 'forbidden' });
      // A browser with a copy notices it at its next check, even without a session.
      expect(await ada.call(offline.isDatabaseStale, { params: { id }, query: { since: cursor } })).toMatchObject({
        status: true,
      });
      expect(await standingOf(id)).toBe('gone');
      expect(await ada.call(offline.setMode, { params: { id }, body: { status: false } })).toEqual({ status: false });
    } finally {
      await allow(true);
    }
    expect(await standingOf(id)).toBe('gone');
  });

  test('is removed if there are too many: the least recently used one, and those with a copy last', async () => {
    const carol = await app.signUp('carol');
    const kept = await open(carol);
    await carol.call(offline.setMode, { params: { id: kept.user_application_id }, body: { status: true } });
    const first = await open(carol);
    const unused = {
      is_offline: 0,
      copy_fetched_at: null,
      key_state: null,
      key_fetched_at: null,
    } as const;
    const later = app.clock.now() + 1;
    const rows = Array.from({ length: 98 }, () => ({
      user_application_id: v7(),
      user_id: carol.userId,
      client_id: v7(),
      created_at: later,
      updated_at: later,
      ...unused,
    }));
    await app.deps.db.transact((tx) => tx.insertInto('user_applications').values(rows).execute());
    const newest = await open(carol);
    const left = await carol.call(offline.applications);
    expect(left).toHaveLength(100);
    expect(left).toContainEqual(newest);
    const ids = left.map(({ user_application_id }) => user_application_id);
    expect(ids).not.toContain(first.user_application_id);
    expect(ids).toContain(kept.user_application_id);
    expect(await standingOf(kept.user_application_id)).toBe('kept');
  });
});

/** Creates an application with offline mode on. */
async function kept(person: SignedIn) {
  const application = await open(person);
  const { user_application_id: id } = application;
  await person.call(offline.setMode, { params: { id }, body: { status: true } });
  return application;
}

describe('the key part', () => {
  test('is the caller’s locked key bundle, is logged with the application, and opens with the salt and the master password', async () => {
    const { user_application_id } = await kept(bob);
    const { rsa_private_key_base64, timestamp } = await bob.call(offline.privateRsa, {
      query: { user_application_id },
    });
    expect(timestamp).toBe(Math.floor(app.clock.now() / 1000));
    const bundle = JSON.parse(Buffer.from(rsa_private_key_base64, 'base64').toString()) as Awaited<
      ReturnType<typeof bob.call<typeof keyBundle>>
    >;
    expect(bundle).toEqual(await bob.call(keyBundle));
    const salt = await bob.call(offline.cbcSalt);
    const slot = bundle.slots.find(({ slot_type }) => slot_type === 'password');
    expect(salt).toEqual({ salt_base64: slot?.salt_base64, kdf: slot?.kdf, timestamp });
    const keyring = await unlock({ bundle, masterPassword: bob.masterPassword, kdf: TEST_KDF });
    expect(keyring.userId).toBe(bob.userId);
    expect(await auditOf(app.deps, 'key_bundle_released', user_application_id)).toHaveLength(1);
    const { userApplication } = await bob.call(offline.application, { params: { id: user_application_id } });
    expect(userApplication.rsa_private_fetched_at).toBe(new Date(app.clock.now()).toISOString());
  });

  test('is stale after the key slot changed, and not before', async () => {
    const { user_application_id: id } = await kept(bob);
    const isRequired = async () => (await bob.call(offline.isKeyStale, { params: { id } })).status;
    expect(await isRequired()).toBe(true);
    await bob.call(offline.privateRsa, { query: { user_application_id: id } });
    expect(await isRequired()).toBe(false);
    const { slot_id, kdf, salt_base64, blob_base64 } = bob.bundle.slots[0]!;
    const version = (await bob.call(keyBundle)).slots[0]?.version;
    await callWithProof(app, bob, replaceSlot, {
      params: { slotType: 'password' },
      body: { slot: { slot_id, kdf, salt_base64, blob_base64 } },
      headers: { 'if-match': String(version) },
    });
    expect(await isRequired()).toBe(true);
    await bob.call(offline.privateRsa, { query: { user_application_id: id } });
    expect(await isRequired()).toBe(false);
  });

  test('is always the caller’s own; another person’s application is refused, an unknown one not found (T48)', async () => {
    const own = await bob.call(offline.privateRsa);
    const asked = await bob.request({
      path: `/identity/api/getPrivateRsa?user_id=${ada.userId}&id=${ada.userId}&userId=${ada.userId}`,
    });
    expect(asked.json()).toEqual(own);
    const { user_application_id } = await open(ada);
    await expect(bob.call(offline.privateRsa, { query: { user_application_id } })).rejects.toMatchObject({
      code: 'forbidden',
    });
    await expect(bob.call(offline.privateRsa, { query: { user_application_id: v7() } })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test('can be downloaded 60 times an hour, together with the key bundle (T48)', async () => {
    const eve = await app.signUp('eve');
    // Counts most downloads without making them.
    await app.deps.db.transact(async (tx) => {
      for (let times = 0; times < 58; times += 1) {
        await addAttempt(tx, `key-bundle:${eve.userId}`, ATTEMPT_LIMITS.keyBundle.windowMs, app.clock.now());
      }
    });
    await eve.call(offline.privateRsa);
    await eve.call(keyBundle);
    const refused = await eve.request({ path: offline.privateRsa.path });
    expect([refused.status, refused.json()['code']]).toEqual([429, 'too_many_requests']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    const released = await app.deps.db.read
      .selectFrom('audit_log')
      .select('audit_id')
      .where('event_type', '=', 'key_bundle_released')
      .where('user_id', '=', eve.userId)
      .execute();
    expect(released).toHaveLength(2);
  });

  test('is not found without keys, nor is the salt', async () => {
    const nora = await app.signUp('nora');
    await app.deps.db.transact(async (tx) => {
      await tx.deleteFrom('user_keysets').where('user_id', '=', nora.userId).execute();
      await tx.deleteFrom('user_key_slots').where('user_id', '=', nora.userId).execute();
      await tx.updateTable('users').set({ keyset_version: 0 }).where('user_id', '=', nora.userId).execute();
    });
    for (const call of [offline.privateRsa, offline.cbcSalt]) {
      await expect(nora.call(call)).rejects.toMatchObject({ code: 'not_found' });
    }
  });
});

test('a token identifies the application that it is named after', async () => {
  const { user_application_id, client_id } = await kept(bob);
  const { token } = await bob.call(createToken, { body: { token_name: client_id, scopes: ['read', 'offline'] } });
  const headers = { authorization: `Bearer ${token}` };
  const client = app.guest();
  expect((await client.request({ path: offline.privateRsa.path, headers })).status).toBe(200);
  expect((await client.request({ path: offline.entryGroupsWithFields.path, headers })).status).toBe(200);
  const { userApplication } = await bob.call(offline.application, { params: { id: user_application_id } });
  expect(userApplication.is_rsa_private_required_update).toBe(false);
  if (app.deps.db.dialect === 'sqlite') expect(userApplication.is_offline_database_required_update).toBe(false);
  expect(userApplication.offline_database_fetched_at).not.toBeNull();
});

test('a disabled account keeps its application but loses its copy, which works again once it is enabled', async () => {
  const { user_application_id: id } = await open(bob);
  const standing = () => standingOf(id);
  await bob.call(offline.setMode, { params: { id }, body: { status: true } });
  await ada.call(people.setDisabled, { params: { id: bob.userId }, body: { status: true } });
  expect(await standing()).toBe('gone');
  await ada.call(people.setDisabled, { params: { id: bob.userId }, body: { status: false } });
  expect(await standing()).toBe('kept');
  bob = await app.signIn(bob);
});

test('a removed account is refused by every part of a copy and leaves no application', async () => {
  const gone = await app.signUp('gone');
  const { user_application_id: id } = await kept(gone);
  await gone.call(offline.entryGroupsWithFields, { query: { user_application_id: id } });
  const standing = () => standingOf(id);
  expect(await standing()).toBe('kept');
  await ada.call(people.remove, { params: { id: gone.userId }, body: {} });
  expect(await standing()).toBe('gone');
  const paths = [
    offline.privateRsa.path,
    offline.cbcSalt.path,
    offline.entryGroupsWithFields.path,
    `/identity/api/userApplication/${id}/isRsaPrivateRequiredUpdate`,
    `/identity/api/userApplication/${id}/isOfflineDatabaseRequiredUpdate`,
  ];
  for (const path of paths) expect([path, (await gone.request({ path })).status]).toEqual([path, 401]);
  for (const table of ['user_applications', 'offline_copies', 'offline_releases'] as const) {
    expect(await app.deps.db.read.selectFrom(table).selectAll().where('user_id', '=', gone.userId).execute()).toEqual(
      [],
    );
  }
});
