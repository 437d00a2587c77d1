/**
 * Trust records of an account used only with a master password: first use, changed keys, decisions
 * (T126).
 */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as site from '@passwordbroker/core/contract/site/site';
import { decodeBase64, utf8 } from '@passwordbroker/core/crypto/bytes';
import { open, seal } from '@passwordbroker/core/crypto/seal';
import { openDocument, sealDocument } from '@passwordbroker/core/domain/keyring/documents';
import { type Pins, writePins } from '@passwordbroker/core/domain/trust/pins';
import { hashRoster, readRoster } from '@passwordbroker/core/domain/rosters/roster';
import { compactTrustRecord, readTrustRecord, type TrustRecord } from '@passwordbroker/core/domain/trust/trust-record';
import { keepassXml } from '../import/testing/keepass-xml.ts';
import { findDocument, storeDocument } from '../users/keys/key-repository.ts';
import { startTestApp, type SignedIn, type TestApp } from '../testing/test-app.ts';
import type { TestAnswer } from '../testing/test-client.ts';
import { Attacker } from './testing/changed-rows.ts';
import { scriptOf } from './testing/script.ts';

const BASE = '/passwordBroker/api';
let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
let carol: SignedIn;
let attacker: Attacker;
let tests = 0;
let place: { g: string; e: string };

beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
  attacker = await Attacker.of(app, (await app.signUp('mallory')).userId);
});
afterAll(() => app.stop());

/** Ada has a group; Bob and Carol are new people. */
beforeEach(async () => {
  const number = String((tests += 1));
  [bob, carol] = [await app.signUp(`bob${number}`), await app.signUp(`carol${number}`)];
  const g = await scriptOf(ada, ada).createGroup(`Group ${number}`);
  place = { g, e: await scriptOf(ada, ada).createEntry(g, 'Entry') };
});

const post = (by: SignedIn, path: string, more: object = {}) =>
  by.request({ path, json: { master_password: by.masterPassword, ...more } });
const inGroup = (by: SignedIn, path: string, more: object = {}) =>
  post(by, `${BASE}/entryGroups/${place.g}/${path}`, more);
const add = (by: SignedIn, person: SignedIn, role = 'member', more: object = {}) =>
  inGroup(by, 'users', { target_user_id: person.userId, role, ...more });
const write = (by: SignedIn) => scriptOf(by, by).createField(place, { type: 'note', value: 'value' });
const trustKey = (by: SignedIn, person: SignedIn, fpr: string, more: object = {}) =>
  post(by, '/identity/api/trustedKeys', { user_id: person.userId, fpr, ...more });
const done = async (answering: Promise<TestAnswer>) => {
  const answer = await answering;
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer;
};
const refused = async (answering: Promise<TestAnswer>, code: string, details?: object) => {
  const answer = await answering;
  expect([answer.status, answer.json()], answer.text).toMatchObject([409, { code, ...(details ? { details } : {}) }]);
};
const newestHash = async () => {
  const { bytes } = await app.deps.db.read
    .selectFrom('group_rosters')
    .select('bytes')
    .where('entry_group_id', '=', place.g)
    .orderBy('seq', 'desc')
    .executeTakeFirstOrThrow();
  return { hash: await hashRoster(new Uint8Array(bytes)), content: readRoster(new Uint8Array(bytes)) };
};
async function recordOf(person: SignedIn): Promise<TrustRecord & { readonly n: number }> {
  const stored = await findDocument(app.deps.db, person.userId, 'trust');
  if (stored === undefined) return expect.fail('no record');
  const place = { name: 'trust', n: stored.n } as const;
  const record = await openDocument(person.keyring, place, stored.blob.toString('base64'), readTrustRecord);
  return { ...record, n: stored.n };
}
async function changeRecord(person: SignedIn, change: (record: TrustRecord) => TrustRecord): Promise<void> {
  const { n, ...record } = await recordOf(person);
  const blob = await sealDocument(person.keyring, { name: 'trust', n: n + 1 }, compactTrustRecord(change(record)));
  const document = { userId: person.userId, name: 'trust', replaced: n, version: n + 1 };
  await app.deps.db.transact((tx) => storeDocument(tx, { ...document, blob: Buffer.from(decodeBase64(blob)) }));
}
/**
 * New keys with a new master password after the old one was known to others: nothing vouches for
 * the new keys.
 */
async function renewKeys(person: SignedIn): Promise<string> {
  const master = {
    new_master_password: person.masterPassword,
    new_master_password_confirmation: person.masterPassword,
  };
  await done(post(person, '/identity/api/masterPassword', { rotate_keys: true, ...master }));
  const { fpr } = await app.deps.db.read
    .selectFrom('user_keysets')
    .select('fpr')
    .where('user_id', '=', person.userId)
    .executeTakeFirstOrThrow();
  return fpr;
}

/** The present lists and keys of the group; the function restores them. */
async function backupOf(g: string): Promise<() => Promise<unknown>> {
  const { read } = app.deps.db;
  const { roster_seq, gk_version } = await read
    .selectFrom('entry_groups')
    .select(['roster_seq', 'gk_version'])
    .where('entry_group_id', '=', g)
    .executeTakeFirstOrThrow();
  const keys = await read.selectFrom('group_keys').selectAll().where('entry_group_id', '=', g).execute();
  const grants = await read.selectFrom('group_grants').selectAll().where('entry_group_id', '=', g).execute();
  return () =>
    app.deps.db.transact(async (tx) => {
      await tx.deleteFrom('group_rosters').where('entry_group_id', '=', g).where('seq', '>', roster_seq).execute();
      for (const table of ['group_grants', 'group_keys'] as const) {
        await tx.deleteFrom(table).where('entry_group_id', '=', g).execute();
      }
      await tx.updateTable('entry_groups').set({ roster_seq, gk_version }).where('entry_group_id', '=', g).execute();
      await tx.insertInto('group_keys').values(keys).execute();
      await tx.insertInto('group_grants').values(grants).execute();
    });
}

test('T126 first use: a list with a key proof is accepted and its signer trusted; reading records nothing', async () => {
  await done(add(ada, bob, 'moderator'));
  const field = await done(write(ada));
  const { field_id: f } = field.json<{ field_id: string }>();
  const before = await recordOf(bob);
  await done(scriptOf(bob, bob).decrypt({ ...place, f }));
  expect(await recordOf(bob)).toEqual(before);
  await done(write(bob));
  const { groups, users } = await recordOf(bob);
  const { hash, content } = await newestHash();
  expect(groups[place.g]).toMatchObject({
    heads: { [hash]: [content.seq, expect.any(Number)] },
    how: 'api',
    proof: true,
  });
  expect(users[ada.userId]).toMatchObject({
    name: 'ada',
    keys: { [ada.keyring.fingerprint]: ['api', expect.any(Number)] },
  });
  const { n } = await recordOf(bob);
  await done(write(bob));
  expect((await recordOf(bob)).n).toBe(n);
});

test('T126 operations of the owner are recorded in their transaction: group, added person, rotation', async () => {
  expect((await recordOf(ada)).groups[place.g]).toMatchObject({ how: 'made', role: 'admin', v: 1 });
  await done(add(ada, bob));
  await done(inGroup(ada, 'rotate'));
  const { hash } = await newestHash();
  const { groups, users } = await recordOf(ada);
  expect([Object.keys(groups[place.g]?.heads ?? {}), groups[place.g]?.v]).toEqual([[hash], 2]);
  expect(users[bob.userId]?.keys[bob.keyring.fingerprint]?.[0]).toBe('api');
});

test('T126 strict: first uses and people whose keys were not compared are refused', async () => {
  await done(add(ada, bob, 'admin'));
  await changeRecord(bob, (record) => ({ ...record, strict: [true, 1] }));
  await refused(write(bob), 'member_unverified', { user_ids: [ada.userId] });
  await done(trustKey(bob, ada, ada.keyring.fingerprint, { compared: true }));
  await done(write(bob));
  await refused(add(bob, carol), 'member_unverified', { user_ids: [carol.userId] });
  const child = { name: 'Child', parent_entry_group_id: place.g, same_members_as_parent: true };
  await done(trustKey(bob, carol, carol.keyring.fingerprint, { compared: true }));
  await done(add(bob, carol));
  await done(post(bob, `${BASE}/entryGroups`, child));
  await changeRecord(bob, (record) => {
    const { [carol.userId]: _, ...users } = record.users;
    return { ...record, users };
  });
  await refused(inGroup(bob, 'rotate'), 'member_unverified', { user_ids: [carol.userId] });
  await refused(post(bob, `${BASE}/entryGroups`, { ...child, name: 'Second' }), 'member_unverified');
});

test('T126 after the site stops requiring compared keys, the record still requires them', async () => {
  await done(add(ada, bob, 'moderator'));
  await ada.call(site.changeSettings, { body: { require_verified_members: true } });
  await refused(write(bob), 'member_unverified', { user_ids: [ada.userId] });
  await done(trustKey(bob, ada, ada.keyring.fingerprint));
  await ada.call(site.changeSettings, { body: { require_verified_members: false } });
  await refused(write(bob), 'member_unverified', { user_ids: [ada.userId] });
  await done(trustKey(bob, ada, ada.keyring.fingerprint, { compared: true }));
  await done(write(bob));
});

test('T126 changed keys of a member or signer are refused until confirmed', async () => {
  await done(add(ada, bob, 'admin'));
  await done(write(bob));
  const fpr = await renewKeys(bob);
  await refused(inGroup(ada, 'rotate'), 'key_changed', { user_ids: [bob.userId] });
  // Trust on first use is not enough for a key that differs from the list's.
  expect((await done(trustKey(ada, bob, fpr))).json()).toEqual({ user_id: bob.userId, fpr, how: 'api' });
  await refused(inGroup(ada, 'rotate'), 'key_changed', { user_ids: [bob.userId] });
  expect((await done(trustKey(ada, bob, fpr, { compared: true }))).json()).toMatchObject({ how: 'words' });
  await done(inGroup(ada, 'rotate'));
  await done(write(bob));
  await done(inGroup(bob, 'roster'));
  await done(write(ada));
  const events = await app.deps.db.read
    .selectFrom('audit_log')
    .select(['target_id', 'details'])
    .where('event_type', '=', 'trust_changed')
    .where('target_id', '=', bob.userId)
    .execute();
  expect(events.map(({ details }) => JSON.parse(details ?? '{}') as unknown)).toEqual([{ fpr }, { fpr }]);
});

test('T126 trustedKeys refuses a wrong fingerprint, another person, oneself, and a wrong master password', async () => {
  expect((await trustKey(ada, bob, carol.keyring.fingerprint)).status).toBe(404);
  expect((await trustKey(ada, bob, 'x')).status).toBe(404);
  expect((await trustKey(ada, ada, ada.keyring.fingerprint)).status).toBe(422);
  expect((await trustKey(ada, bob, bob.keyring.fingerprint, { master_password: 'wrong' })).status).toBe(422);
  expect((await trustKey(ada, bob, bob.keyring.fingerprint, { master_password: undefined })).status).toBe(422);
  expect((await recordOf(ada)).users[bob.userId]).toBeUndefined();
});

test('T126 recipient_fpr: a key that differs from it is refused', async () => {
  await refused(add(ada, bob, 'member', { recipient_fpr: carol.keyring.fingerprint }), 'key_changed', {
    user_ids: [bob.userId],
  });
  await done(add(ada, bob, 'member', { recipient_fpr: bob.keyring.fingerprint }));
});

test('T126 a rolled back list: an admin may continue, and the next list supersedes the lost one', async () => {
  await done(add(ada, bob, 'admin'));
  const restore = await backupOf(place.g);
  await done(add(ada, carol));
  const [before, { hash: later }] = [await recordOf(ada), await newestHash()];
  await restore();
  await app.deps.db.transact((tx) =>
    tx.deleteFrom('group_members').where('entry_group_id', '=', place.g).where('user_id', '=', carol.userId).execute(),
  );
  await refused(write(ada), 'group_disputed', { why: 'rolled-back' });
  await refused(inGroup(ada, 'trust', { roster_hash: later }), 'roster_conflict');
  expect((await recordOf(ada)).n).toBe(before.n);
  const { hash } = await newestHash();
  const answer = await done(inGroup(ada, 'trust', { roster_hash: hash }));
  const next = await newestHash();
  expect(answer.json()).toEqual({ seq: next.content.seq, hash: next.hash });
  expect(next.content).toMatchObject({ supersedes: [later], gkVersion: 1 });
  await done(write(ada));
  await done(add(ada, carol));
});

test('T126 continuing below the known version rotates; a list of a signer without the group key cannot be accepted', async () => {
  await done(add(ada, bob, 'admin'));
  const rosters = await newestHash();
  const restore = await backupOf(place.g);
  await done(inGroup(ada, 'rotate'));
  const known = await newestHash();
  await restore();
  await refused(write(ada), 'group_disputed', { why: 'rolled-back' });
  await done(inGroup(ada, 'trust', { roster_hash: rosters.hash }));
  const next = await newestHash();
  expect(next.content).toMatchObject({ gkVersion: 2, supersedes: [known.hash] });
  await done(write(ada));
  await attacker.appendGhost(place.g);
  const ghost = await newestHash();
  expect((await inGroup(ada, 'trust', { roster_hash: ghost.hash })).json()).toMatchObject({ code: 'integrity_error' });
});

test('T126 imported groups are recorded, so hidden lists are noticed', async () => {
  const multipart = new FormData();
  multipart.append('master_password', ada.masterPassword);
  const xml = keepassXml({ name: 'Root', groups: [{ name: 'Child' }], entries: [{ title: 'Mail', password: 'p' }] });
  multipart.append('file', new File([new Uint8Array(xml)], 'vault.xml'));
  const imported = await done(ada.request({ path: `${BASE}/import`, multipart }));
  const { entry_group_id: g, name } = imported.json<{ entry_group_id: string; name: string }>();
  const rows = Object.values((await recordOf(ada)).groups).filter(({ path }) => path[0] === name);
  expect(
    rows.map(({ path, how, role }) => `${path.length} ${how} ${role}`).toSorted((a, b) => (a < b ? -1 : 1)),
  ).toEqual(['1 made admin', '2 made admin']);
  place = { g, e: await scriptOf(ada, ada).createEntry(g, 'Entry') };
  await done(write(ada));
  await attacker.hideLists(g, ada);
  await refused(write(ada), 'group_disputed', { why: 'vanished' });
});

/** Makes the account as release 1.0 left it: a keyset without the mark, no record, and these pins. */
async function makeOld(person: SignedIn, pins: Pins): Promise<void> {
  const { userKey } = person.keyring.keys();
  const { userId, fingerprint, identity } = person.keyring;
  const context = { userId, keysetVersion: identity.keysetVersion, fingerprint };
  const { blob } = await app.deps.db.read
    .selectFrom('user_keysets')
    .select('blob')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  const keyset = await open('keyset', userKey, context, decodeBase64(blob.toString('base64')));
  const { trust: _, ...old } = JSON.parse(Buffer.from(keyset).toString()) as Record<string, unknown>;
  const sealed = Buffer.from(await seal('keyset', userKey, context, utf8(JSON.stringify(old))));
  const pinned = await sealDocument(person.keyring, { name: 'pins', n: 1 }, writePins(pins));
  await app.deps.db.transact(async (tx) => {
    await tx.updateTable('user_keysets').set({ blob: sealed }).where('user_id', '=', userId).execute();
    await tx.deleteFrom('user_documents').where('user_id', '=', userId).execute();
    const document = { user_id: userId, name: 'pins', n: 1, blob: Buffer.from(pinned, 'base64') };
    await tx.insertInto('user_documents').values(document).execute();
  });
}

const compared = ({ userId, name }: SignedIn, fingerprint: string): Pins =>
  new Map([[userId, { fingerprint, name, verified: true, how: 'words', firstSeen: 0 }]]);

test('T126 an account of release 1.0 gets its record once, from pins and the lists of the database', async () => {
  await done(add(ada, bob, 'moderator'));
  await done(add(ada, carol));
  await done(
    scriptOf(bob, bob)
      .createGroup('Unsigned', {})
      .then(() => write(ada)),
  );
  const { keyring, userId } = carol;
  await makeOld(bob, compared(carol, keyring.fingerprint));
  await done(write(bob));
  const { n, groups, users, pins_n } = await recordOf(bob);
  expect([n, pins_n, Object.values(groups).map(({ how, origin }) => [how, origin])]).toEqual([
    1,
    1,
    [
      ['api', 'client'],
      ['api', 'server'],
    ],
  ]);
  expect(users[ada.userId]?.keys[ada.keyring.fingerprint]?.[0]).toBe('api');
  expect(users[userId]?.keys[keyring.fingerprint]?.[0]).toBe('words');
  await attacker.hideLists(place.g, bob);
  await refused(write(bob), 'group_disputed', { why: 'vanished' });
});

test('T126 a first record accepts no list whose signer contradicts a pin', async () => {
  await done(add(ada, bob, 'moderator'));
  await makeOld(bob, compared(ada, carol.keyring.fingerprint));
  await refused(write(bob), 'key_changed', { user_ids: [ada.userId] });
  expect(await findDocument(app.deps.db, bob.userId, 'trust')).toBeUndefined();
});

test('T126 G/trust is for admins of the group, and accepting the newest list changes nothing', async () => {
  await done(add(ada, bob));
  const { hash, content } = await newestHash();
  expect((await inGroup(bob, 'trust', { roster_hash: hash })).status).toBe(403);
  expect((await done(inGroup(ada, 'trust', { roster_hash: hash }))).json()).toEqual({ seq: content.seq, hash });
  expect((await newestHash()).hash).toBe(hash);
});
