/** Sealed documents of the owner, and the call for many public keys. */
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createToken } from '@passwordbroker/core/contract/account/credentials';
import { readDocument, writeDocument } from '@passwordbroker/core/contract/account/own-keys';
import { remove as deletePerson, resetKeys } from '@passwordbroker/core/contract/users/people';
import { certificatesOf, keyBundle } from '@passwordbroker/core/contract/users/users';
import { openDocument, sealDocument } from '@passwordbroker/core/domain/keyring/documents';
import { endCredentials } from '../../http/auth/session-repository.ts';
import { startTestApp, type SignedIn, type TestApp } from '../../testing/test-app.ts';
import { callWithProof } from '../../testing/test-proof.ts';
import { storeDocument } from './key-repository.ts';

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
const stored = async (person = ada) => (await person.call(keyBundle)).documents.filter(({ name }) => name !== 'trust');

test('each version follows the one before; a stale write gets the present version and overwrites nothing', async () => {
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

test('of two concurrent first writes one fails', async () => {
  const [first, second] = [await sealed(1, { a: 1 }, bob), await sealed(1, { a: 2 }, bob)];
  const answers = await Promise.allSettled([write(0, first, 'pins', bob), write(0, second, 'pins', bob)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(await stored(bob)).toHaveLength(1);
});

test('the largest blob is accepted; a larger one, another kind, and an unknown name are refused', async () => {
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

test('the desk follows the same rules: one document a person, no overwriting, no larger blob, no other reader', async () => {
  const desk = (n: number, person = ada) => sealDocument(person.keyring, { name: 'desk', n }, { v: 1 });
  const mary = await app.signUp('mary');
  expect(await write(0, await desk(1), 'desk')).toEqual({ name: 'desk', version: 1 });
  expect(await write(1, await desk(2), 'desk')).toEqual({ name: 'desk', version: 2 });
  for (const version of [0, 1]) {
    await expect(write(version, await desk(version + 1), 'desk')).rejects.toMatchObject({
      code: 'slot_conflict',
      details: { current_version: 2 },
    });
  }
  await expect(write(2, sealedShape(1_048_577), 'desk')).rejects.toMatchObject({ code: 'bad_sealed_value' });
  await expect(write(0, sealedShape(1_048_577), 'desk', mary)).rejects.toMatchObject({ code: 'bad_sealed_value' });
  expect((await read(mary, 'desk')).status).toBe(404);
  expect((await app.guest().request({ path: `${PATH}/desk` })).status).toBe(401);
  const { blob_base64 } = await ada.call(readDocument, { params: { name: 'desk' } });
  // Another person's document and a renamed one do not open.
  const asIs = (raw: unknown) => raw;
  await expect(openDocument(mary.keyring, { name: 'desk', n: 2 }, blob_base64, asIs)).rejects.toThrow();
  await expect(openDocument(ada.keyring, { name: 'settings', n: 2 }, blob_base64, asIs)).rejects.toThrow();
  expect(await openDocument(ada.keyring, { name: 'desk', n: 2 }, blob_base64, asIs)).toEqual({ v: 1 });
  // It ends with the account.
  await write(0, await desk(1, mary), 'desk', mary);
  await ada.call(deletePerson, { params: { id: mary.userId }, body: {} });
  const rows = app.deps.db.read.selectFrom('user_documents').select('name').where('user_id', '=', mary.userId);
  expect(await rows.execute()).toEqual([]);
});

test('without a proof or If-Match nothing is written', async () => {
  const json = { blob_base64: await sealed(9, {}) };
  const request = { method: 'PUT', path: `${PATH}/settings`, json };
  expect((await ada.request(request)).json()['code']).toBe('bad_request');
  const unproved = await ada.request({ ...request, headers: { 'if-match': '1' } });
  expect(unproved.json()['errors']).toEqual({ master_password: ['MasterPassword is missing'] });
});

test('public keys of many people: unknown people and people without keys are left out', async () => {
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

test('a write that waits while its session ends stores nothing and gets 401', async () => {
  const carol = await app.signUp('carol');
  const first = await sealed(1, {}, carol);
  const { writing } = await app.deps.db.transact(async (tx) => {
    const begun = write(0, first, 'pins', carol).catch((error: unknown) => error);
    // Long enough for the request to pass its authentication; otherwise it is refused in the same
    // way.
    await setTimeout(300);
    await endCredentials(tx, carol.userId);
    return { writing: begun };
  });
  expect(await writing).toMatchObject({ code: 'unauthenticated' });
  expect(
    await app.deps.db.read
      .selectFrom('user_documents')
      .select('n')
      .where('user_id', '=', carol.userId)
      .where('name', '=', 'pins')
      .execute(),
  ).toEqual([]);
});

test('a document of former keys is not stored, because it would block one of new keys', async () => {
  const dan = await app.signUp('dan');
  const late = {
    userId: dan.userId,
    name: 'pins',
    blob: Buffer.from(await sealed(1, {}, dan), 'base64'),
    replaced: 0,
    version: 1,
  };
  await ada.call(resetKeys, { params: { id: dan.userId }, body: {} });
  await expect(app.deps.db.transact((tx) => storeDocument(tx, late))).rejects.toMatchObject({ code: 'conflict' });
});

/** A person of release 1.0, without documents. */
async function withoutRecord(name: string): Promise<SignedIn> {
  const person = await app.signUp(name);
  await app.deps.db.transact((tx) => tx.deleteFrom('user_documents').where('user_id', '=', person.userId).execute());
  return person;
}

/** The smallest blob with the form of a sealed document. */
const sealedShape = (size: number) => {
  const blob = Buffer.alloc(size);
  blob.set([0x50, 0x42, 0x31, 5]);
  return blob.toString('base64');
};
const read = (person: SignedIn, name = 'trust', headers: Record<string, string> = {}) =>
  person.request({ path: `${PATH}/${name}`, headers });

describe('the trust record (T123)', () => {
  const writeVersion = (person: SignedIn, replaced: number, version?: number) =>
    callWithProof(app, person, writeDocument, {
      params: { name: 'trust' },
      body: { blob_base64: sealedShape(200), ...(version === undefined ? {} : { version }) },
      headers: { 'if-match': `"${replaced}"` },
    });

  test('T123: a version may jump forward by up to a million, and every other version is refused', async () => {
    const eve = await withoutRecord('eve');
    expect(await writeVersion(eve, 0)).toEqual({ name: 'trust', version: 1 });
    expect(await writeVersion(eve, 1, 57)).toEqual({ name: 'trust', version: 57 });
    expect(await writeVersion(eve, 57, 1_000_057)).toEqual({ name: 'trust', version: 1_000_057 });
    for (const version of [0, 1, 56, 57, 1_000_057, 2_000_058, 1.5, '1e7', 1_000_000_000]) {
      await expect(writeVersion(eve, 1_000_057, version as number)).rejects.toMatchObject({
        code: 'validation',
        errors: { version: [expect.stringMatching(/^The version must be /)] },
      });
    }
    for (const replaced of [0, 57, 1_000_056]) {
      await expect(writeVersion(eve, replaced, replaced + 9)).rejects.toMatchObject({
        code: 'slot_conflict',
        details: { current_version: 1_000_057 },
      });
    }
    expect(await writeVersion(eve, 1_000_057)).toEqual({ name: 'trust', version: 1_000_058 });
  });

  test('T123: the first version is at most a million; no version follows the highest one', async () => {
    const fay = await withoutRecord('fay');
    await expect(writeVersion(fay, 0, 1_000_001)).rejects.toMatchObject({ code: 'validation' });
    expect(await writeVersion(fay, 0, 1_000_000)).toMatchObject({ version: 1_000_000 });
    await app.deps.db.transact((tx) =>
      tx.updateTable('user_documents').set({ n: 999_999_998 }).where('user_id', '=', fay.userId).execute(),
    );
    expect(await writeVersion(fay, 999_999_998)).toMatchObject({ version: 999_999_999 });
    await expect(writeVersion(fay, 999_999_999)).rejects.toMatchObject({ code: 'validation' });
  });

  test('T123: four mebibytes are accepted, one byte more is too large, and other documents keep their limit', async () => {
    const gus = await withoutRecord('gus');
    const largest = 4 * 1_048_576;
    expect(await write(0, sealedShape(largest), 'trust', gus)).toEqual({ name: 'trust', version: 1 });
    expect((await gus.call(readDocument, { params: { name: 'trust' } })).blob_base64).toBe(sealedShape(largest));
    await expect(write(1, sealedShape(largest + 1), 'trust', gus)).rejects.toMatchObject({ status: 413 });
    await expect(write(1, sealedShape(5 * 1_048_576), 'trust', gus)).rejects.toMatchObject({ status: 413 });
    await expect(write(0, sealedShape(1_048_577), 'settings', gus)).rejects.toMatchObject({ code: 'bad_sealed_value' });
    for (const blob of [sealedShape(10), Buffer.alloc(200).toString('base64'), '!', '']) {
      await expect(write(1, blob, 'trust', gus)).rejects.toMatchObject({ status: 422 });
    }
    expect((await gus.call(readDocument, { params: { name: 'trust' } })).version).toBe(1);
  });

  test('T123: an owner reads it with its version as ETag, and gets 304 for a known version', async () => {
    const hal = await withoutRecord('hal');
    expect((await read(hal)).status).toBe(404);
    expect((await read(hal, 'rosters')).status).toBe(404);
    const blob_base64 = sealedShape(300);
    await write(0, blob_base64, 'trust', hal);
    const first = await read(hal);
    expect(first.json()).toEqual({ name: 'trust', version: 1, blob_base64 });
    expect(first.headers).toMatchObject({ etag: '"1"', 'cache-control': 'no-store' });
    for (const tags of ['"1"', '"7", "1"']) {
      const known = await read(hal, 'trust', { 'if-none-match': tags });
      expect([known.status, known.text, known.headers['etag']]).toEqual([304, '', '"1"']);
    }
    await write(1, blob_base64, 'trust', hal);
    const newer = await read(hal, 'trust', { 'if-none-match': '"1"' });
    expect([newer.status, newer.headers['etag']]).toEqual([200, '"2"']);
    // Each person reads only their own record.
    expect((await read(bob)).json()).toMatchObject({ blob_base64: bob.documents[0]?.blob_base64 });
  });

  test('T123: a token needs the scope read for reading, and write for writing', async () => {
    const ian = await withoutRecord('ian');
    await write(0, sealedShape(200), 'trust', ian);
    const get = async (scopes: readonly ('read' | 'write' | 'offline')[]) => {
      const { token } = await ian.call(createToken, { body: { token_name: scopes.join(), scopes: [...scopes] } });
      const headers = { authorization: `Bearer ${token}` };
      const json = { blob_base64: sealedShape(200) };
      const put = { method: 'PUT', path: `${PATH}/trust`, json, headers: { ...headers, 'if-match': '1' } };
      return [
        (await app.guest().request({ path: `${PATH}/trust`, headers })).status,
        (await app.guest().request(put)).status,
      ];
    };
    expect(await get(['read'])).toEqual([200, 403]);
    // The scope is accepted; the proof is missing.
    expect(await get(['write'])).toEqual([403, 422]);
    expect(await get(['offline'])).toEqual([403, 403]);
  });

  test('T123: reading it leaves no row in the audit log', async () => {
    const kim = await withoutRecord('kim');
    await write(0, sealedShape(200), 'trust', kim);
    const count = async () => (await app.deps.db.read.selectFrom('audit_log').select('audit_id').execute()).length;
    const before = await count();
    expect((await read(kim)).status).toBe(200);
    expect(await count()).toBe(before);
  });

  test('T123: the key bundle leaves out versions that the caller already has', async () => {
    const lea = await withoutRecord('lea');
    await write(0, await sealed(1, {}, lea), 'pins', lea);
    await write(0, sealedShape(200), 'trust', lea);
    const blobs = async (known: string) =>
      Object.fromEntries(
        (await lea.call(keyBundle, { query: { known } })).documents.map(({ name, blob_base64 }) => [name, blob_base64]),
      );
    expect(await blobs('trust:1')).toMatchObject({ pins: expect.any(String), trust: null });
    expect(await blobs('trust:2')).toMatchObject({ pins: expect.any(String), trust: expect.any(String) });
    expect(await blobs('trust:1,pins:1')).toMatchObject({ pins: null, trust: null });
    for (const known of ['trust', 'trust:', 'trust:x', 'trust:-1', 'other:1', 'trust:1,']) {
      await expect(lea.call(keyBundle, { query: { known } })).rejects.toMatchObject({
        errors: { known: [expect.any(String)] },
      });
    }
  });

  // This test comes last because it moves the clock an hour on, which ends sessions.
  test('T123: 600 reads an hour, then 429; the key bundle has its own limit', async () => {
    const jan = await withoutRecord('jan');
    await write(0, sealedShape(200), 'trust', jan);
    const headers = { 'if-none-match': '"1"' };
    for (let done = 0; done < 600; done += 1) expect((await read(jan, 'trust', headers)).status).toBe(304);
    const refused = await read(jan, 'trust', headers);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await jan.call(keyBundle)).documents).toMatchObject([{ name: 'trust', version: 1 }]);
    app.clock.advance(61 * 60_000);
    expect((await read(await app.signIn(jan), 'trust', headers)).status).toBe(304);
  });
});
