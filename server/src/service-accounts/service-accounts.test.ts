/** Service accounts: SA1 is the matrix (`authorisation/`), SA2 and SA3 are here, SA4 to SA6 in `cli/`. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fillPath } from '@passwordbroker/core/contract/endpoint';
import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import * as members from '@passwordbroker/core/contract/groups/members';
import * as people from '@passwordbroker/core/contract/users/people';
import * as services from '@passwordbroker/core/contract/users/service-accounts';
import { changeSettings } from '@passwordbroker/core/contract/site/site';
import { login, me } from '@passwordbroker/core/contract/account/session';
import { release } from '@passwordbroker/core/contract/entries/fields';
import { createToken } from '@passwordbroker/core/contract/account/credentials';
import { keyBundle } from '@passwordbroker/core/contract/users/users';
import { encodeBase64 } from '@passwordbroker/core/crypto/bytes';
import { deriveMachineToken } from '@passwordbroker/core/domain/keyring/service/service-credential';
import {
  createNextCredential,
  unlockWithCredential,
} from '@passwordbroker/core/domain/keyring/service/service-keyring';
import { openGroup } from '@passwordbroker/core/domain/groups/group-keys';
import { openField } from '@passwordbroker/core/domain/fields/field';
import { utf8 } from '@passwordbroker/core/crypto/bytes';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import { archiveOf } from '../backups/testing/archive.ts';
import type { Transact } from '../db/database.ts';
import { sharing, type Sharing } from '../members/testing/sharing.ts';
import { everything } from '../operations/testing/vault.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';
import { answerAfter, answerAfterEnd } from '../testing/ended-session.ts';
import { createSealedPlace, sealedField, type SealedPlace } from '../testing/sealed-place.ts';
import { startTestApp, type SignedIn, type TestApp } from '../testing/test-app.ts';
import { MINUTE } from '../testing/test-clock.ts';
import {
  bearerOfText,
  createTestService,
  credentialOf,
  newServiceBody,
  type TestService,
} from '../testing/test-service.ts';
import { callWithProof } from '../testing/test-proof.ts';
import { tellOfExpiry } from './credentials.ts';

const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
let as: Sharing;
let place: SealedPlace;
let service: TestService;
beforeEach(async () => {
  app = await startTestApp({ environment: { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'vault@example.org' } });
  ada = await app.signUp('ada');
  bob = await app.signUp('bob');
  as = sharing(app);
  place = await createSealedPlace(ada, { name: 'Ops' });
  service = await createTestService(app, ada, 'deploy');
});
afterEach(async () => {
  app.deps.mailer?.close();
  await app.stop();
});

/** The service account as a caller. */
function program(bearer = service.bearer): SignedIn {
  const client = app.guest();
  const request = client.request.bind(client);
  client.request = (sent) => request({ ...sent, headers: { ...sent.headers, authorization: `Bearer ${bearer}` } });
  return Object.assign(client, service);
}
const statusOf = async (bearer = service.bearer, path: string = groups.listAll.path) =>
  (await program(bearer).request({ path })).status;
const read = (by: SignedIn = ada, id = service.userId) => by.call(services.serviceAccount, { params: { id } });
const events = async () =>
  (await app.deps.db.read.selectFrom('audit_log').select('event_type').orderBy('audit_id').execute())
    .map(({ event_type }) => event_type)
    .filter((event) => event.startsWith('service_') || event === 'keys_reset');

async function nextCredential(hours: number) {
  const bundle = await program().call(keyBundle);
  const next = await createNextCredential(bundle, credentialOf(service.text));
  const account = await callWithProof(app, program(), services.addServiceCredential, {
    params: { id: service.userId },
    body: { ...next.credential, end_others_in_hours: hours },
  });
  return { account, text: next.text, bearer: await bearerOfText(next.text), slotId: next.credential.slot_id };
}

test('a service account reads its groups with one secret, each value on record', async () => {
  await as.add(ada, place.g, service, 'member');
  const content = { type: 'password', title: 'db', login: 'root', value: utf8('s3cr3t') } as const;
  const { field_id } = await ada.call(fields.create, { params: place, body: await sealedField(place, content) });
  const who = await program().call(me);
  expect(who).toMatchObject({ message: 'loggedIn', session_id: service.slotId, user: { name: 'deploy', email: '' } });
  expect(who.sign_in).toBeUndefined();
  const bundle = await program().call(keyBundle);
  expect(bundle).toMatchObject({
    slots: [{ slot_id: service.slotId, slot_type: 'machine', kdf: 'S1' }],
    documents: [],
  });
  const keyring = await unlockWithCredential(bundle, credentialOf(service.text));
  const wire = await program().call(groups.roster, { params: place, query: {} });
  const { groupKey } = await openGroup(keyring, wire, place.g);
  const { releases } = await callWithProof(app, program(), release, {
    params: {},
    body: { fields: [{ entry_group_id: place.g, entry_id: place.e, field_id }], purpose: 'run', label: 'release 41' },
  });
  const at = { entryGroupId: place.g, entryId: place.e, fieldId: field_id, type: 'password', rev: 1 } as const;
  expect(await openField(groupKey, at, releases[0]!)).toEqual(content);
  const [row] = await ada.call(fields.history, { params: { g: place.g, e: place.e, f: field_id } });
  expect(row).toMatchObject({
    event_type: 'decrypted',
    purpose: 'run',
    label: 'release 41',
    via: 'service',
    user: { name: 'deploy', kind: 'service' },
  });
  const page = await ada.request({ path: `/passwordBroker/api/entryGroups/${place.g}/users` });
  const users = page.json<{ user: object; role: string }[]>();
  expect(users.map(({ user, role }) => ({ user, role }))).toContainEqual({
    user: { user_id: service.userId, name: 'deploy', kind: 'service', owner_name: 'ada' },
    role: 'member',
  });
  expect(await read()).toMatchObject({ groups: 1, owner: { name: 'ada' }, credentials: [{ slot_id: service.slotId }] });
});

test('database, log and backup have no secret and no token, hashes alone (SA2)', async () => {
  const texts: string[] = [];
  const hashes: string[] = [];
  for (let at = 0; at < 10; at += 1) {
    const made = await createTestService(app, ada, `program ${at}`);
    await program(made.bearer).call(me);
    const { secret } = credentialOf(made.text);
    const token = await deriveMachineToken(credentialOf(made.text));
    for (const bytes of [secret, token]) {
      const hex = Buffer.from(bytes).toString('hex');
      texts.push(
        encodeBase64(bytes),
        Buffer.from(bytes).toString('base64url'),
        hex,
        JSON.stringify(Buffer.from(bytes)),
        Buffer.from(bytes).toString('latin1'),
      );
    }
    texts.push(made.text, made.bearer);
    hashes.push(createHash('sha256').update(token).digest('base64'));
  }
  const backup = gunzipSync(await readFile(await archiveOf(app, { password: null }))).toString('latin1');
  const stored = (await everything(app.deps)) + app.log.join('\n') + backup;
  expect(texts.filter((text) => stored.includes(text))).toEqual([]);
  expect(hashes.filter((hash) => !backup.includes(hash))).toEqual([]);
});

test('a thousand reads of one service account at once are witnessed once each, and none fails (SA6)', async () => {
  await as.add(ada, place.g, service, 'member');
  const content = { type: 'password', title: 'db', login: 'root', value: utf8('s3cr3t') } as const;
  const { field_id } = await ada.call(fields.create, { params: place, body: await sealedField(place, content) });
  const asked = Array.from({ length: 1000 }, (_, at) =>
    callWithProof(app, program(), release, {
      params: {},
      body: { fields: [{ entry_group_id: place.g, entry_id: place.e, field_id }], purpose: 'run', label: `job ${at}` },
    }),
  );
  expect((await Promise.all(asked)).map(({ releases }) => releases.length)).toEqual(asked.map(() => 1));
  const rows = await app.deps.db.read
    .selectFrom('field_history')
    .select('label')
    .where('event_type', '=', 'decrypted')
    .execute();
  expect(rows).toHaveLength(asked.length);
  expect(new Set(rows.map(({ label }) => label))).toEqual(new Set(asked.map((_, at) => `job ${at}`)));
}, 120_000);

describe('rights', () => {
  test('a service account is a member and nothing more', async () => {
    for (const role of ['moderator', 'admin'] as const) {
      await expect(as.add(ada, place.g, service, role)).rejects.toMatchObject({
        errors: { role: ['A service account can only be a member.'] },
      });
    }
    await as.add(ada, place.g, service, 'member');
    await expect(as.add(ada, place.g, service, 'moderator')).rejects.toMatchObject({ code: 'validation' });
    const refused = await program().request({
      method: 'POST',
      path: `/passwordBroker/api/entryGroups`,
      json: { name: 'x' },
    });
    expect([refused.status, refused.json()['message']]).toEqual([403, 'A service account may not do that']);
  });

  test('it is no account of a person: nobody signs in to it, and calls about people do not find it', async () => {
    for (const email of ['', `service ${service.userId}`, 'deploy']) {
      await expect(app.guest().call(login, { body: { email, password: 'x' } })).rejects.toMatchObject({
        status: expect.toSatisfy((status: number) => status === 401 || status === 422),
      });
    }
    const params = { id: service.userId };
    const acts = [
      () => ada.call(people.get, { params }),
      () => ada.call(people.update, { params, body: { name: 'x' } }),
      () => ada.call(people.setAdmin, { params, body: { is_admin: true } }),
      () => ada.call(people.setAuditor, { params, body: { is_auditor: true } }),
      () => ada.call(people.setDisabled, { params, body: { status: true } }),
      () => ada.call(people.remove, { params, body: {} }),
      () => ada.call(people.resetKeys, { params, body: {} }),
      () => ada.call(people.offboardingOf, { params }),
      () => ada.call(people.offboard, { params, body: {} }),
      () => ada.call(people.setBreakGlass, { params, body: { status: true } }),
    ];
    const before = await everything(app.deps);
    for (const act of acts) await expect(act()).rejects.toMatchObject({ code: 'not_found' });
    expect(await everything(app.deps)).toBe(before);
    expect((await ada.call(people.search, { query: {} })).data.map(({ name }) => name)).toEqual(['ada', 'bob']);
    const outside = await ada.call(people.search, { query: { entryGroupExclude: place.g } });
    expect(outside.data.map(({ name }) => name)).toEqual(['bob', 'deploy']);
    const found = { user_id: service.userId, name: 'deploy', kind: 'service' };
    expect(outside.data[1]).toEqual(found);
    await as.add(ada, place.g, bob, 'member');
    const carl = await app.signUp('carl');
    await as.add(ada, place.g, carl, 'member');
    expect((await carl.call(people.search, { query: { entryGroupExclude: place.g } })).data).toEqual([found]);
  });

  test('the policy of the site says who creates one, and switches their sign-in off', async () => {
    const create = (by: SignedIn, name: string) => createTestService(app, by, name);
    await expect(create(bob, 'x')).rejects.toMatchObject({
      message: 'Only site administrators can make service accounts',
    });
    await ada.call(changeSettings, { body: { service_accounts: 'everyone' } });
    const his = await create(bob, 'x');
    expect(await statusOf(his.bearer)).toBe(200);
    await ada.call(changeSettings, { body: { service_accounts: 'off' } });
    await expect(create(ada, 'y')).rejects.toMatchObject({ message: 'Service accounts are switched off on this site' });
    expect([await statusOf(his.bearer), await statusOf()]).toEqual([401, 401]);
  });

  test('names, networks and credentials are checked', async () => {
    const { body } = await newServiceBody('new');
    const send = (more: object) =>
      callWithProof(app, ada, services.createService, { params: {}, body: { ...body, ...more } });
    const before = await everything(app.deps);
    await expect(send({ name: 'Deploy' })).rejects.toMatchObject({
      errors: { name: ['This user name is already taken'] },
    });
    await expect(send({ allowed_networks: ['10.0.0.0/8', 'x', '10.0.0.1 10.0.0.2'] })).rejects.toMatchObject({
      errors: { 'allowed_networks.1': ['This is not a network.'], 'allowed_networks.2': ['This is not a network.'] },
    });
    await expect(send({ user_id: service.userId })).rejects.toMatchObject({ code: 'bad_sealed_value' });
    for (const more of [{ blob_base64: 'AAAA' }, { token_sha256_base64: 'AAAA' }]) {
      await expect(send({ credential: { ...body.credential, ...more } })).rejects.toMatchObject({
        errors: { [`credential.${Object.keys(more).join()}`]: [expect.stringContaining('malformed')] },
      });
    }
    await expect(send({ credential: { ...body.credential, expires_in_days: 366 } })).rejects.toMatchObject({
      code: 'validation',
    });
    await expect(send({ credential: { ...body.credential, slot_id: service.slotId } })).rejects.toMatchObject({
      code: 'id_taken',
    });
    expect(await everything(app.deps)).toBe(before);
  });
});

describe('addresses and wrong tokens', () => {
  const from = (bearer: string, address: string) =>
    app.guest().request({ path: groups.listAll.path, address, headers: { authorization: `Bearer ${bearer}` } });

  test('another address is 403, and on record', async () => {
    await ada.call(services.updateService, {
      params: { id: service.userId },
      body: { allowed_networks: ['10.1.0.0/16', '::1'] },
    });
    expect((await from(service.bearer, '10.1.2.3')).status).toBe(200);
    const refused = await from(service.bearer, '10.2.0.1');
    expect([refused.status, refused.json()['message']]).toEqual([403, 'This address may not use the service account']);
    expect(await events()).toEqual(['service_created', 'service_changed', 'service_refused']);
  });

  test('wrong tokens count as failed sign-ins of the address; right and ended ones do not', async () => {
    const wrong = (at: number) => `${service.bearer.slice(0, -4)}AA${String(at).padStart(2, '0')}`;
    const ended = await createTestService(app, ada, 'old');
    await ada.call(services.endServiceCredential, { params: { id: ended.userId, slotId: ended.slotId } });
    for (let at = 0; at < 70; at += 1) expect((await from(ended.bearer, '10.9.0.1')).status).toBe(401);
    for (let at = 0; at < 60; at += 1) expect((await from(wrong(at), '10.9.0.1')).status).toBe(401);
    expect((await from(wrong(60), '10.9.0.1')).status).toBe(429);
    const json = { email: ada.email, password: ada.password };
    expect((await app.guest().request({ path: login.path, json, address: '10.9.0.1' })).status).toBe(429);
    expect((await from(service.bearer, '10.9.0.1')).status).toBe(200);
    expect((await from(wrong(60), '10.9.0.2')).status).toBe(401);
  });

  test('a program that keeps trying the token of a deleted account locks nobody out', async () => {
    const gone = await createTestService(app, ada, 'gone');
    await ada.call(services.removeService, { params: { id: gone.userId } });
    const address = '10.8.0.1';
    for (let burst = 0; burst < 3; burst += 1) {
      const tries = await Promise.all(Array.from({ length: 30 }, () => from(gone.bearer, address)));
      expect(new Set(tries.map(({ status }) => status))).toEqual(new Set([401]));
    }
    const json = { email: ada.email, password: ada.password };
    expect((await app.guest().request({ path: login.path, json, address })).status).toBe(200);
  });
});

describe('credentials (SA3)', () => {
  test('one replaces another with an overlap, and at most two live', async () => {
    app.clock.advance(1);
    const next = await nextCredential(24);
    expect(next.account.credentials.map(({ slot_id }) => slot_id)).toEqual([next.slotId, service.slotId]);
    expect([await statusOf(), await statusOf(next.bearer)]).toEqual([200, 200]);
    await expect(nextCredential(1)).rejects.toMatchObject({ message: 'Two credentials are in use already' });
    app.clock.advance(24 * HOUR);
    expect([await statusOf(), await statusOf(next.bearer)]).toEqual([401, 200]);
    const after = await read(await app.signIn(ada));
    expect(after.credentials.map(({ slot_id }) => slot_id)).toEqual([next.slotId]);
  });

  test('without an overlap the former one ends at once', async () => {
    const next = await nextCredential(0);
    expect([await statusOf(), await statusOf(next.bearer)]).toEqual([401, 200]);
  });

  test('the owner, a site admin and the account itself end one at once', async () => {
    const next = await nextCredential(24);
    const end = (by: SignedIn, slotId: string) =>
      by.call(services.endServiceCredential, { params: { id: service.userId, slotId } });
    await expect(end(bob, next.slotId)).rejects.toMatchObject({ code: 'not_found' });
    await end(program(), next.slotId);
    expect([await statusOf(), await statusOf(next.bearer)]).toEqual([200, 401]);
    await end(ada, service.slotId);
    await expect(end(ada, service.slotId)).rejects.toMatchObject({ code: 'not_found' });
    expect(await statusOf()).toBe(401);
    expect(await events()).toEqual([
      'service_created',
      'service_credential_added',
      'service_credential_ended',
      'service_credential_ended',
    ]);
  });

  test('one expires, and the owner gets one mail 14 days before', async () => {
    const mails = async () =>
      (await app.deps.db.read.selectFrom('mail_outbox').select(['notice', 'recipient', 'details']).execute()).filter(
        ({ notice }) => notice === 'service credential ends',
      );
    app.clock.advance(76 * DAY - 1);
    await tellOfExpiry(app.deps);
    expect(await mails()).toEqual([]);
    app.clock.advance(1);
    await tellOfExpiry(app.deps);
    await tellOfExpiry(app.deps);
    expect((await mails()).map(({ recipient }) => recipient)).toEqual(['ada@example.org']);
    expect((await mails())[0]?.details).toContain('deploy, until ');
    app.clock.advance(14 * DAY - 1);
    expect(await statusOf()).toBe(200);
    app.clock.advance(1);
    expect(await statusOf()).toBe(401);
  });

  test('one that a rotation shortened gives no mail', async () => {
    app.clock.advance(80 * DAY);
    await nextCredential(24);
    await tellOfExpiry(app.deps);
    expect(await app.deps.db.read.selectFrom('mail_outbox').select('notice').execute()).not.toContainEqual({
      notice: 'service credential ends',
    });
  });

  test('disabled meanwhile, it adds and ends none', async () => {
    const next = await nextCredential(24);
    const disable = (tx: Transact) =>
      tx.updateTable('users').set({ disabled_at: 1 }).where('user_id', '=', service.userId).execute();
    const path = fillPath<string>(services.endServiceCredential.path, { id: service.userId, slotId: next.slotId });
    const ending = await answerAfter(app, disable, () => program().request({ method: 'DELETE', path }));
    expect(ending.status).toBe(401);
    expect((await read()).credentials).toHaveLength(2);
    await ada.call(services.updateService, { params: { id: service.userId }, body: { disabled: false } });
    await ada.call(services.endServiceCredential, { params: { id: service.userId, slotId: next.slotId } });
    await expect(answerAfter(app, disable, () => nextCredential(24))).rejects.toMatchObject({
      code: 'unauthenticated',
    });
    expect((await read()).credentials).toHaveLength(1);
  });

  test('a proof is bound to the credential, and works once', async () => {
    await expect(nextCredential(1)).resolves.toBeDefined();
    const { body } = await newServiceBody('', service.userId);
    const params = { id: service.userId };
    await expect(
      program().call(services.addServiceCredential, { params, body: body.credential }),
    ).rejects.toMatchObject({
      code: 'validation',
    });
    // Of the session of a person, with the keys of the service account.
    const stranger = Object.assign(program(), { keyring: ada.keyring });
    await expect(
      callWithProof(app, stranger, services.addServiceCredential, { params, body: body.credential }),
    ).rejects.toMatchObject({ code: 'proof_invalid' });
  });
});

describe('accounts (SA3)', () => {
  const rotationDue = async (g = place.g) => (await ada.call(groups.get, { params: { g } })).entryGroup.rotation_due;

  test('removed from a group it gets 403 at once', async () => {
    await as.add(ada, place.g, service, 'member');
    const path = `/passwordBroker/api/entryGroups/${place.g}`;
    expect(await statusOf(service.bearer, path)).toBe(200);
    await ada.call(members.remove, { params: { g: place.g, u: service.userId } });
    expect(await statusOf(service.bearer, path)).toBe(403);
    expect(await rotationDue()).toBe(true);
  });

  test('new keys end credentials and memberships, and name the groups', async () => {
    await as.add(ada, place.g, service, 'member');
    const { made, body } = await newServiceBody('', service.userId, 2);
    const renew = (by: SignedIn) =>
      by.call(services.renewServiceKeys, {
        params: { id: service.userId },
        body: { key_bundle: body.key_bundle, credential: body.credential },
      });
    await expect(renew(bob)).rejects.toMatchObject({ code: 'not_found' });
    const answer = await renew(ada);
    expect(answer.groups).toEqual([{ entry_group_id: place.g, name: 'Ops' }]);
    expect(answer.account).toMatchObject({ keyset_version: 2, groups: 0, fpr: made.keyring.fingerprint });
    const bearer = await bearerOfText(made.text);
    expect([await statusOf(), await statusOf(bearer)]).toEqual([401, 200]);
    expect(await rotationDue()).toBe(true);
    expect(await statusOf(bearer, `/passwordBroker/api/entryGroups/${place.g}`)).toBe(403);
    expect(await events()).toEqual(['service_created', 'keys_reset']);
  });

  test('it goes on working when its owner leaves, and is marked', async () => {
    await ada.call(changeSettings, { body: { service_accounts: 'everyone' } });
    const [his, other] = [await createTestService(app, bob, 'his'), await createTestService(app, bob, 'other')];
    await ada.call(people.setDisabled, { params: { id: bob.userId }, body: { status: true } });
    const left = { owner: null, former_owner: 'bob', credential_due: true };
    expect(await read(ada, his.userId)).toMatchObject(left);
    expect(await statusOf(his.bearer)).toBe(200);
    await ada.call(people.remove, { params: { id: bob.userId }, body: {} });
    expect(await read(ada, other.userId)).toMatchObject(left);
    const params = { id: his.userId };
    await expect(
      ada.call(services.updateService, { params, body: { owner_id: service.userId } }),
    ).rejects.toMatchObject({ code: 'validation' });
    await ada.call(services.updateService, { params, body: { owner_id: ada.userId } });
    expect(await read(ada, his.userId)).toMatchObject({
      owner: { name: 'ada' },
      former_owner: null,
      credential_due: true,
    });
  });

  test('deleted, its groups need new keys and its token is unknown', async () => {
    await as.add(ada, place.g, service, 'member');
    await ada.call(services.removeService, { params: { id: service.userId } });
    expect(await rotationDue()).toBe(true);
    expect(await statusOf()).toBe(401);
    await expect(read()).rejects.toMatchObject({ code: 'not_found' });
    expect(await app.deps.db.read.selectFrom('service_credentials').selectAll().execute()).toEqual([]);
    expect(await events()).toEqual(['service_created', 'service_deleted']);
  });

  test('disabled, it has no access until it is enabled', async () => {
    const set = (disabled: boolean) =>
      ada.call(services.updateService, { params: { id: service.userId }, body: { disabled } });
    expect(await set(true)).toMatchObject({ disabled: true });
    expect(await statusOf()).toBe(401);
    await set(false);
    expect(await statusOf()).toBe(200);
  });

  test('its owner enables it again, unless a site admin disabled it', async () => {
    await ada.call(changeSettings, { body: { service_accounts: 'everyone' } });
    const his = await createTestService(app, bob, 'his');
    const set = (by: SignedIn, disabled: boolean, name = 'his') =>
      by.call(services.updateService, { params: { id: his.userId }, body: { disabled, name } });
    await set(bob, true);
    expect(await set(bob, false)).toMatchObject({ disabled: false });
    await set(ada, true);
    // A change of something else does not make the stop his own.
    await set(bob, true, 'renamed');
    await expect(set(bob, false)).rejects.toMatchObject({
      code: 'forbidden',
      message: SERVER_TEXTS.serviceStopped,
    });
    expect(await read(ada, his.userId)).toMatchObject({ name: 'renamed', disabled: true });
    await set(ada, false);
    await set(bob, true);
    expect(await set(bob, false)).toMatchObject({ disabled: false });
  });

  test('owners see their own, site admins all, and only a site admin gives another owner', async () => {
    await ada.call(changeSettings, { body: { service_accounts: 'everyone' } });
    const his = await createTestService(app, bob, 'zeta');
    const names = async (by: SignedIn, q = '') =>
      (await by.call(services.serviceAccounts, { query: { q } })).data.map(({ name }) => name);
    expect([await names(ada), await names(bob), await names(ada, 'ZE')]).toEqual([
      ['deploy', 'zeta'],
      ['zeta'],
      ['zeta'],
    ]);
    await expect(
      bob.call(services.updateService, { params: { id: his.userId }, body: { owner_id: ada.userId } }),
    ).rejects.toMatchObject({ code: 'forbidden' });
    await expect(bob.call(services.updateService, { params: { id: service.userId }, body: {} })).rejects.toMatchObject({
      code: 'not_found',
    });
    const changed = await bob.call(services.updateService, {
      params: { id: his.userId },
      body: { name: 'eta', description: 'nightly' },
    });
    expect(changed).toMatchObject({ name: 'eta', description: 'nightly' });
  });

  test('a session that ends meanwhile makes and changes none', async () => {
    const endSessions = (tx: Transact) => tx.deleteFrom('sessions').where('user_id', '=', ada.userId).execute();
    await expect(answerAfter(app, endSessions, () => createTestService(app, ada, 'late'))).rejects.toMatchObject({
      code: 'unauthenticated',
    });
    ada = await app.signIn(ada);
    const path = fillPath<string>(services.removeService.path, { id: service.userId });
    const removal = await answerAfterEnd(app, ada.userId, () => ada.request({ method: 'DELETE', path }));
    expect(removal.status).toBe(401);
    ada = await app.signIn(ada);
    expect((await ada.call(services.serviceAccounts, { query: {} })).data.map(({ name }) => name)).toEqual(['deploy']);
  });

  test('a site admin who is one no longer changes none, and gives no owner', async () => {
    await ada.call(changeSettings, { body: { service_accounts: 'everyone' } });
    const his = await createTestService(app, bob, 'zeta');
    const demote = (tx: Transact) =>
      tx.updateTable('users').set({ is_admin: 0 }).where('user_id', '=', ada.userId).execute();
    const update = (id: string, body: object) => () => ada.call(services.updateService, { params: { id }, body });
    await expect(answerAfter(app, demote, update(his.userId, { disabled: true }))).rejects.toMatchObject({
      code: 'not_found',
    });
    await app.deps.db.transact((tx) =>
      tx.updateTable('users').set({ is_admin: 1 }).where('user_id', '=', ada.userId).execute(),
    );
    await expect(answerAfter(app, demote, update(service.userId, { owner_id: bob.userId }))).rejects.toMatchObject({
      code: 'forbidden',
    });
    expect(await read(bob, his.userId)).toMatchObject({ disabled: false });
  });

  test('tokens of people and credentials do not mix', async () => {
    const { token } = await ada.call(createToken, { body: { token_name: 'x' } });
    expect([await statusOf(token), await statusOf(token.replace('pbt_', 'pbs_'))]).toEqual([200, 401]);
  });
});
