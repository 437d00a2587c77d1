import { afterEach, beforeEach, expect, test } from 'vitest';
import * as session from '@passwordbroker/core/contract/account/session';
import * as site from '@passwordbroker/core/contract/site/site';
import { storage } from '@passwordbroker/core/contract/site/system';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { createSealedPlace, sealedFileField } from '../testing/sealed-place.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { HOUR, MINUTE } from '../testing/test-clock.ts';

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
beforeEach(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
  bob = await app.signUp('bob');
});
afterEach(() => app.stop());

const set = (by: SignedIn, body: object) => by.call(site.changeSettings, { body });
const limit = (body: object) => ada.call(site.changeLimits, { body });
const isIn = async (client: SignedIn) => (await client.call(session.me)).message === 'loggedIn';
const at = (ms: number) => new Date(ms).toISOString();

test('everybody can read the settings, and site admins with a fresh sign-in can change them (T108)', async () => {
  const signedUp = at(app.clock.now());
  const before = {
    server_crypto: 'allowed',
    password_policy: 'warn',
    password_min_length: 12,
    password_min_score: 3,
    require_verified_members: false,
    passkey_sign_in: 'allowed',
    passkey_unlock: 'separate',
    recovery_kit: 'optional',
    offline_allowed: true,
    offline_files: true,
    export_by: 'admins',
    export_plain: false,
    service_accounts: 'admins',
    trash_days: 30,
    log_months: 0,
    updated_at: signedUp,
  };
  expect(await bob.call(site.settings)).toEqual(before);
  app.clock.advance(MINUTE);
  await expect(set(bob, { trash_days: 3 })).rejects.toMatchObject({ code: 'forbidden' });
  const passwords = { password_policy: 'strict', password_min_length: 14, password_min_score: 4 } as const;
  const changed = {
    server_crypto: 'off',
    ...passwords,
    require_verified_members: true,
    recovery_kit: 'required',
    offline_allowed: false,
    offline_files: false,
    export_by: 'members',
    export_plain: true,
    service_accounts: 'off',
    trash_days: 7,
    log_months: 12,
    passkey_sign_in: 'off',
    passkey_unlock: 'off',
  } as const;
  expect(await set(ada, changed)).toEqual({ ...changed, updated_at: at(app.clock.now()) });
  expect(await bob.call(site.settings)).toMatchObject(changed);
  expect((await app.guest().request({ path: '/system/api/setup' })).json()).toMatchObject({
    server_crypto: 'off',
    ...passwords,
    require_verified_members: true,
    offline_allowed: false,
  });
  // Server crypto is disabled at once, for tokens and cookies.
  const refused = await bob.request({ path: '/passwordBroker/api/entryGroups', json: { name: 'x' } });
  expect([refused.status, refused.json()['code']]).toEqual([403, 'server_crypto_disabled']);
  app.clock.advance(10 * MINUTE);
  await expect(set(ada, { server_crypto: 'allowed' })).rejects.toMatchObject({ code: 'reauth_required' });
  const rows = await app.deps.db.read
    .selectFrom('audit_log')
    .select(['user_id', 'details'])
    .where('event_type', '=', 'settings_changed')
    .execute();
  expect(rows.map((row) => [row.user_id, JSON.parse(row.details ?? '')])).toEqual([[ada.userId, changed]]);
});

test('with require_verified_members the server wraps no key for a person whose key was not compared', async () => {
  const { g } = await createSealedPlace(ada);
  const add = () =>
    ada.request({
      path: `/passwordBroker/api/entryGroups/${g}/users`,
      json: { master_password: ada.masterPassword, target_user_id: bob.userId, role: 'member' },
    });
  await set(ada, { require_verified_members: true });
  const refused = await add();
  expect([refused.status, refused.json()['code'], refused.json()['details']]).toEqual([
    409,
    'member_unverified',
    { user_ids: [bob.userId] },
  ]);
  await set(ada, { require_verified_members: false });
  expect((await add()).status).toBe(201);
});

test('an invalid value is refused, and no value of the request is stored', async () => {
  for (const body of [
    { server_crypto: 'sometimes' },
    { password_policy: 'x' },
    { password_min_length: 11 },
    { require_verified_members: 'maybe' },
    { offline_allowed: 'maybe' },
    { offline_files: 'some' },
    { trash_days: 0 },
    { trash_days: 366 },
    { log_months: -1 },
    { log_months: 121 },
    { log_months: 1.5 },
  ]) {
    await expect(set(ada, { ...body, unknown: 1 })).rejects.toMatchObject({ code: 'validation' });
  }
  for (const body of [
    { session_idle_minutes: 0 },
    { session_hours: 721 },
    { lock_minutes: 61 },
    { invite_days: 31 },
    { file_mib: 26 },
    ...[' ', {}, [2], 'unlimited', '5 GiB', -1, 0.5, 1e300, 'NaN', LIMITS.quotaMib + 1].flatMap((value) => [
      { person_quota_mib: value },
      { person_quota_mib: 1, site_quota_mib: value },
    ]),
  ]) {
    await expect(limit(body)).rejects.toMatchObject({ code: 'validation' });
  }
  // An absent setting stays unchanged.
  for (const empty of ['', null]) await limit({ person_quota_mib: empty, site_quota_mib: empty });
  expect(await app.deps.db.read.selectFrom('site_settings').selectAll().execute()).toEqual([]);
  await set(ada, { unknown: 1, trash_days: 30 });
  expect(await app.deps.db.read.selectFrom('site_settings').selectAll().execute()).toEqual([]);
});

test('storage quotas can be changed by site admins with a fresh sign-in, and the change is logged (T142)', async () => {
  expect(await bob.call(site.limits)).toMatchObject({ person_quota_mib: 5 * 1024, site_quota_mib: 0 });
  const changed = { person_quota_mib: 0, site_quota_mib: LIMITS.quotaMib };
  await expect(bob.call(site.changeLimits, { body: changed })).rejects.toMatchObject({ code: 'forbidden' });
  await expect(bob.call(storage)).rejects.toMatchObject({ code: 'forbidden' });
  expect(await limit(changed)).toMatchObject(changed);
  expect(await ada.call(storage)).toMatchObject({
    stored_bytes: 0,
    person_quota_bytes: 0,
    site_quota_bytes: LIMITS.quotaMib * 1024 * 1024,
  });
  app.clock.advance(10 * MINUTE);
  await expect(limit({ site_quota_mib: 1 })).rejects.toMatchObject({ code: 'reauth_required' });
  const rows = await app.deps.db.read
    .selectFrom('audit_log')
    .select(['user_id', 'details'])
    .where('event_type', '=', 'settings_changed')
    .execute();
  expect(rows.map((row) => [row.user_id, JSON.parse(row.details ?? '')])).toEqual([[ada.userId, changed]]);
});

test('shorter session limits apply at once', async () => {
  expect(await limit({ session_idle_minutes: 5, session_hours: 1 })).toMatchObject({
    session_idle_minutes: 5,
    session_hours: 1,
    invite_days: 7,
    file_mib: 25,
  });
  app.clock.advance(5 * MINUTE - 1);
  expect([await isIn(ada), await isIn(bob)]).toEqual([true, true]);
  app.clock.advance(MINUTE);
  expect(await isIn(bob)).toBe(true);
  app.clock.advance(4 * MINUTE + 1);
  // Ada was idle for five minutes.
  expect([await isIn(ada), await isIn(bob)]).toEqual([false, true]);
  for (let at = 10 * MINUTE; at < HOUR; at += 4 * MINUTE) {
    expect(await isIn(bob)).toBe(true);
    app.clock.advance(4 * MINUTE);
  }
  expect(await isIn(bob)).toBe(false);
});

test('a file over the limit of the site is refused before it is stored', async () => {
  await limit({ file_mib: 1 });
  const place = await createSealedPlace(bob);
  const send = async (bytes: Uint8Array<ArrayBuffer>) => {
    const { members, body } = await sealedFileField(place, bytes);
    const form = new FormData();
    for (const [name, value] of Object.entries(members)) form.set(name, String(value));
    form.set('file', new Blob([new Uint8Array(body)]));
    return bob.call(fields.create, { params: place, multipart: form });
  };
  await expect(send(new Uint8Array(1024 * 1024 + 1))).rejects.toMatchObject({
    code: 'payload_too_large',
    details: { limit: 1024 * 1024 },
  });
  expect(await send(new Uint8Array(1024 * 1024))).toMatchObject({ file_size: 1024 * 1024 });
});
