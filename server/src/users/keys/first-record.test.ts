/** The trust record of an account: made with the keys, replaced or kept with new keys (T124). */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { confirmPassword } from '@passwordbroker/core/contract/account/credentials';
import type { KeyBundle } from '@passwordbroker/core/contract/entities';
import * as invites from '@passwordbroker/core/contract/users/invites';
import * as ownKeys from '@passwordbroker/core/contract/account/own-keys';
import * as people from '@passwordbroker/core/contract/users/people';
import * as session from '@passwordbroker/core/contract/account/session';
import { keyBundle, register } from '@passwordbroker/core/contract/users/users';
import { openDocument, sealDocument } from '@passwordbroker/core/domain/keyring/documents';
import { createKeyring, unlock } from '@passwordbroker/core/domain/keyring/keyring';
import type { Keyring } from '@passwordbroker/core/domain/keyring/keyring';
import { rekey } from '@passwordbroker/core/domain/keyring/rekey';
import {
  EMPTY_RECORD,
  compactTrustRecord,
  readTrustRecord,
  withDecidedKey,
} from '@passwordbroker/core/domain/trust/trust-record';
import { everything } from '../../operations/testing/vault.ts';
import { signUpBody, startTestApp } from '../../testing/test-app.ts';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';
import type { TestClient } from '../../testing/test-client.ts';
import { TEST_KDF, testPerson } from '../../testing/test-person.ts';
import { callWithProof } from '../../testing/test-proof.ts';

const NEW = 'chosen by the owner';
const PLAIN = { password: 'account pass phrase 41', password_confirmation: 'account pass phrase 41' };
const MASTER = { master_password: 'a master pass phrase', master_password_confirmation: 'a master pass phrase' };

let app: TestApp;
let ada: SignedIn;
beforeEach(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
});
afterEach(() => app.stop());

/** What an unlock finds: whether the keyset has a record mark, and the record with its version, or null. */
async function opened(bundle: KeyBundle, masterPassword: string) {
  const keyring = await unlock({ bundle, masterPassword, kdf: TEST_KDF });
  const stored = bundle.documents.find(({ name }) => name === 'trust');
  if (stored === undefined) return [keyring.isMadeWithRecord, null];
  const { version: n, blob_base64 } = stored;
  return [keyring.isMadeWithRecord, n, await openDocument(keyring, { name: 'trust', n }, blob_base64, readTrustRecord)];
}
const openedBy = async (client: Pick<TestClient, 'call'>, masterPassword: string) =>
  opened(await client.call(keyBundle), masterPassword);

const compared = withDecidedKey(
  EMPTY_RECORD,
  { userId: '0190a1b2-0000-7000-8000-000000000001', name: 'Bob', fingerprint: '0'.repeat(64) },
  'words',
  1_800_000_000,
);
async function storeRecord(person: SignedIn, keyring: Keyring = person.keyring, version = 1): Promise<void> {
  await callWithProof(app, person, ownKeys.writeDocument, {
    params: { name: 'trust' },
    body: {
      blob_base64: await sealDocument(keyring, { name: 'trust', n: version + 1 }, compactTrustRecord(compared)),
    },
    headers: { 'if-match': String(version) },
  });
}
async function refused(act: () => Promise<unknown>, problem: object): Promise<void> {
  const before = await everything(app.deps);
  await expect(act()).rejects.toMatchObject(problem);
  expect(await everything(app.deps)).toBe(before);
}

async function inviteTo(email: string): Promise<string> {
  const { inviteLinkUrl } = await ada.call(invites.create, { body: { user: { email } } });
  return inviteLinkUrl.split('/').at(-1) ?? '';
}
const newBody = async (name: string) => signUpBody(await testPerson(name));

test('T124: sign-up and accepted invitation store the record of the client as version 1', async () => {
  expect(await openedBy(ada, ada.masterPassword)).toEqual([true, 1, EMPTY_RECORD]);
  const bob = await app.signUp('bob');
  expect(await openedBy(bob, bob.masterPassword)).toEqual([true, 1, EMPTY_RECORD]);
  const carol = await testPerson('carol');
  const guest = app.guest();
  await guest.call(invites.accept, {
    params: { token: await inviteTo(carol.email) },
    body: { user: signUpBody(carol) },
  });
  expect(await openedBy(guest, carol.masterPassword)).toEqual([true, 1, EMPTY_RECORD]);
});

test('T124: a client of release 1.0 signs up without a record', async () => {
  const { documents: _, ...bob } = await newBody('bob');
  await ada.call(register, { body: { user: bob } });
  const { documents: _none, ...carol } = await newBody('carol');
  const params = { token: await inviteTo(carol.email) };
  await app.guest().call(invites.accept, { params, body: { user: carol } });
  for (const name of ['bob', 'carol']) {
    const person = await app.signIn(await testPerson(name));
    expect((await person.call(keyBundle)).documents).toEqual([]);
  }
});

test('T124: documents other than one sealed record are refused at sign-up and invitation', async () => {
  const bob = await newBody('bob');
  const token = await inviteTo(bob.email);
  const [record] = bob.documents;
  const malformed = { code: 'bad_sealed_value', errors: { 'user.documents': ['The documents is malformed.'] } };
  for (const documents of [
    [],
    [record, record],
    [{ ...record, name: 'pins' }],
    [{ ...record, blob_base64: '!' }],
    [{ ...record, blob_base64: 'AAAA' }],
    [{ ...record, blob_base64: bob.key_bundle.keyset.blob_base64 }],
    [{ name: 'trust' }],
    ['trust'],
    'trust',
    1,
    {},
  ]) {
    const user = { ...bob, documents } as never;
    await refused(() => ada.call(register, { body: { user } }), malformed);
    await refused(() => app.guest().call(invites.accept, { params: { token }, body: { user } }), malformed);
  }
});

test('T124: where the server makes the keys, it makes the record in the same transaction', async () => {
  const user = { username: 'Bob', email: 'bob@example.org', ...PLAIN, ...MASTER };
  await ada.call(register, { body: { user } });
  const bob = app.guest();
  await bob.call(session.login, { body: { email: user.email, password: user.password } });
  expect(await openedBy(bob, user.master_password)).toEqual([true, 1, EMPTY_RECORD]);
  const carol = app.guest();
  const params = { token: await inviteTo('carol@example.org') };
  await carol.call(invites.accept, { params, body: { user: { username: 'Carol', ...PLAIN, ...MASTER } } });
  expect(await openedBy(carol, MASTER.master_password)).toEqual([true, 1, EMPTY_RECORD]);
});

/** The keys are reset: the account has neither keys nor documents. */
async function withoutKeys(name: string): Promise<SignedIn> {
  const person = await app.signUp(name);
  await storeRecord(person);
  await ada.call(people.resetKeys, { params: { id: person.userId }, body: {} });
  const again = await app.signIn(person);
  expect(await again.call(keyBundle)).toMatchObject({ keyset: null, documents: [] });
  return again;
}

test('T124: first keys after a reset begin an empty record, in both forms', async () => {
  const bob = await withoutKeys('bob');
  const password = { new_master_password: NEW, new_master_password_confirmation: NEW };
  await bob.call(confirmPassword, { body: { password: bob.password } });
  await bob.call(ownKeys.changeMasterPassword, { body: password });
  expect(await openedBy(bob, NEW)).toEqual([true, 1, EMPTY_RECORD]);
  const carol = await withoutKeys('carol');
  await carol.call(confirmPassword, { body: { password: carol.password } });
  const { bundle, trust } = await createKeyring({ userId: carol.userId, masterPassword: NEW, kdf: TEST_KDF });
  const body = { key_bundle: bundle, documents: [trust], grants: [] };
  await carol.call(ownKeys.rekey, { body, headers: { 'if-match': '0' } });
  expect(await openedBy(carol, NEW)).toEqual([true, 1, EMPTY_RECORD]);
});

test('T124: keys that replace keys known to another person begin an empty record; other new keys keep it', async () => {
  const bob = await app.signUp('bob');
  await storeRecord(bob);
  const change = (person: SignedIn, master_password: string, more: object = {}) => {
    const password = { new_master_password: NEW, new_master_password_confirmation: NEW };
    return person.call(ownKeys.changeMasterPassword, { body: { master_password, ...password, ...more } });
  };
  // Ada created Bob's account and has known his keys.
  await change(bob, bob.masterPassword);
  expect(await openedBy(bob, NEW)).toEqual([true, 3, EMPTY_RECORD]);
  // Ada replaces her own keys.
  await storeRecord(ada);
  await change(ada, ada.masterPassword, { rotate_keys: true });
  expect(await openedBy(ada, NEW)).toEqual([true, 3, compared]);
});

test('T124: new keys that keep a record are refused if the record is missing', async () => {
  await app.deps.db.transact((tx) => tx.deleteFrom('user_documents').where('user_id', '=', ada.userId).execute());
  const password = { new_master_password: NEW, new_master_password_confirmation: NEW, rotate_keys: true };
  const change = () =>
    ada.call(ownKeys.changeMasterPassword, { body: { master_password: ada.masterPassword, ...password } });
  await refused(change, { code: 'trust_record_missing' });
});

/** What Bob's client sends for new keys. */
async function newKeysOf(person: SignedIn) {
  const { documents } = await person.call(keyBundle);
  const { grants } = await person.call(ownKeys.grants);
  return (await rekey(person.keyring, { masterPassword: NEW, kdf: TEST_KDF, grants, documents, record: null })).wire;
}
const putKeys = (person: SignedIn, body: object) =>
  callWithProof(app, person, ownKeys.rekey, { params: {}, body, headers: { 'if-match': '1' } });

test('T124: a document written meanwhile stops new keys, and the error names it', async () => {
  const bob = await app.signUp('bob');
  const stale = await newKeysOf(bob);
  await storeRecord(bob);
  await refused(() => putKeys(bob, stale), {
    status: 412,
    code: 'slot_conflict',
    details: { current_version: 2, document: 'trust' },
  });
  const bundle = await putKeys(bob, await newKeysOf(bob));
  expect(await opened(bundle, NEW)).toEqual([true, 3, EMPTY_RECORD]);
});

test('T124: an older account gets its first record with new keys', async () => {
  const bob = await app.signUp('bob');
  await app.deps.db.transact((tx) => tx.deleteFrom('user_documents').where('user_id', '=', bob.userId).execute());
  const wire = await newKeysOf(bob);
  expect(wire.documents).toMatchObject([{ name: 'trust', version: 0 }]);
  await refused(() => putKeys(bob, { ...wire, documents: wire.documents.map((one) => ({ ...one, version: 1 })) }), {
    details: { current_version: 0, document: 'trust' },
  });
  expect(await opened(await putKeys(bob, wire), NEW)).toEqual([true, 1, EMPTY_RECORD]);
});

test('T124: new keys from an open page of release 1.0 are refused with advice to reload', async () => {
  const bob = await app.signUp('bob');
  const { documents, ...wire } = await newKeysOf(bob);
  const reload = {
    documents: ['This page or program is too old to make new keys. Reload the page, or update the program.'],
  };
  const unversioned = documents.map(({ name, blob_base64 }) => ({ name, blob_base64 }));
  for (const sent of [undefined, [], [{ name: 'pins', blob_base64: documents[0]?.blob_base64 }], unversioned]) {
    await refused(() => putKeys(bob, { ...wire, documents: sent }), { code: 'validation', errors: reload });
  }
  await putKeys(bob, { ...wire, documents });
});

test('T124: a new master password keeps the record, and deleting the account removes it', async () => {
  await storeRecord(ada);
  const password = { new_master_password: NEW, new_master_password_confirmation: NEW };
  await ada.call(ownKeys.changeMasterPassword, { body: { master_password: ada.masterPassword, ...password } });
  expect(await openedBy(ada, NEW)).toEqual([true, 2, compared]);
  const bob = await app.signUp('bob');
  await ada.call(people.remove, { params: { id: bob.userId } });
  expect(
    await app.deps.db.read.selectFrom('user_documents').select('name').where('user_id', '=', bob.userId).execute(),
  ).toEqual([]);
});
