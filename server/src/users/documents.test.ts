/** Sealed documents of the owner, and public keys of many at once (`api.md` §3.2, §3.4). */
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeDocument } from '@passwordbroker/core/contract/own-keys';
import { resetKeys } from '@passwordbroker/core/contract/people';
import { certificatesOf, keyBundle } from '@passwordbroker/core/contract/users';
import { openDocument, sealDocument } from '@passwordbroker/core/domain/documents';
import { endCredentials } from '../http/session-repository.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { callWithProof } from '../testing/test-proof.ts';
import { storeDocument } from './document-repository.ts';

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
beforeAll(async () => {
  app = await startTestApp();
  [ada, bob] = [await app.signUp('ada'), await app.signUp('bob')];
});
afterAll(() => app.stop());

const PATH = '/identity/api/keyBundle/documents';
const write = async (version: number, blob_base64: string, name = 'pins', person = ada) =>
  callWithProof(app, person, writeDocument, {
    params: { name },
    body: { blob_base64 },
    headers: { 'if-match': `"${version}"` },
  });
const sealed = (n: number, users: object, person = ada) => sealDocument(person.keyring, { name: 'pins', n }, users);
const stored = async (person = ada) => (await person.call(keyBundle)).documents;

test('each version follows the one before; who is behind is told the present one, and nothing is overwritten', async () => {
  expect(await write(0, await sealed(1, { a: 1 }))).toEqual({ name: 'pins', version: 1 });
  expect(await write(1, await sealed(2, { a: 2 }))).toEqual({ name: 'pins', version: 2 });
  for (const version of [0, 1, 3]) {
    await expect(write(version, await sealed(version + 1, {}))).rejects.toMatchObject({
      code: 'slot_conflict',
      status: 412,
      details: { current_version: 2 },
    });
  }
  const [document] = await stored();
  expect(document).toMatchObject({ name: 'pins', version: 2 });
  expect(await openDocument(ada.keyring, { name: 'pins', n: 2 }, document?.blob_base64 ?? '', (raw) => raw)).toEqual({
    a: 2,
  });
  expect(await stored(bob)).toEqual([]);
});

test('of two devices at once one is told', async () => {
  const [first, second] = [await sealed(1, { a: 1 }, bob), await sealed(1, { a: 2 }, bob)];
  const answers = await Promise.allSettled([write(0, first, 'pins', bob), write(0, second, 'pins', bob)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(await stored(bob)).toHaveLength(1);
});

test('the largest one fits; a larger one, another kind, and another name do not', async () => {
  const largest = Buffer.alloc(1_048_576);
  largest.set([0x50, 0x42, 0x31, 5]);
  expect(await write(0, largest.toString('base64'), 'settings')).toEqual({ name: 'settings', version: 1 });
  const malformed = { code: 'bad_sealed_value', errors: { blob_base64: ['The blob base64 is malformed.'] } };
  const tooLarge = Buffer.concat([largest, Buffer.alloc(1)]);
  for (const blob of [tooLarge.toString('base64'), Buffer.alloc(200).toString('base64'), '!']) {
    await expect(write(1, blob, 'settings')).rejects.toMatchObject(malformed);
  }
  await expect(write(0, await sealed(1, {}), 'rosters')).rejects.toMatchObject({ code: 'not_found' });
});

test('without a proof or the header nothing is written', async () => {
  const json = { blob_base64: await sealed(9, {}) };
  const request = { method: 'PUT', path: `${PATH}/settings`, json };
  expect((await ada.request(request)).json()['code']).toBe('bad_request');
  const unproved = await ada.request({ ...request, headers: { 'if-match': '1' } });
  expect(unproved.json()['errors']).toEqual({ master_password: ['MasterPassword is missing'] });
});

test('public keys of many at once: who is unknown or has none is left out', async () => {
  const keyless = await app.signUp('keyless');
  await app.deps.db.transact((tx) => tx.deleteFrom('user_keysets').where('user_id', '=', keyless.userId).execute());
  const user_ids = [bob.userId, keyless.userId, '00000000-0000-4000-8000-000000000000', ada.userId];
  const { certificates } = await bob.call(certificatesOf, { query: { user_ids } });
  expect(new Map(certificates.map(({ user_id, fpr }) => [user_id, fpr]))).toEqual(
    new Map([ada, bob].map(({ userId, keyring }) => [userId, keyring.fingerprint])),
  );
  const answer = (query: string) => bob.request({ path: `/identity/api/certificates${query}` });
  expect((await answer('')).json()['errors']).toEqual({ user_ids: ['The user ids is required.'] });
  expect((await answer('?user_ids=x')).status).toBe(422);
  const many = Array.from({ length: 101 }, () => ada.userId).join(',');
  expect((await answer(`?user_ids=${many}`)).json()['errors']).toEqual({
    user_ids: ['The user ids is too long (at most 100).'],
  });
});

test('a session that ends while its write waits for its turn: nothing is stored, and its owner is out', async () => {
  const carol = await app.signUp('carol');
  const first = await sealed(1, {}, carol);
  const { writing } = await app.deps.db.transact(async (tx) => {
    const begun = write(0, first, 'pins', carol).catch((error: unknown) => error);
    // Long enough for it to be let in; were it not, it would be refused the same way.
    await setTimeout(300);
    await endCredentials(tx, carol.userId);
    return { writing: begun };
  });
  expect(await writing).toMatchObject({ code: 'unauthenticated' });
  expect(
    await app.deps.db.read.selectFrom('user_documents').select('n').where('user_id', '=', carol.userId).execute(),
  ).toEqual([]);
});

test('what was sealed with keys that are gone is not stored: it would be in the way of new ones', async () => {
  const dan = await app.signUp('dan');
  const late = { userId: dan.userId, name: 'pins', blob: Buffer.from(await sealed(1, {}, dan), 'base64'), version: 0 };
  await ada.call(resetKeys, { params: { id: dan.userId }, body: {} });
  await expect(app.deps.db.transact((tx) => storeDocument(tx, late))).rejects.toMatchObject({ code: 'conflict' });
});
