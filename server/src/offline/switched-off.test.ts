/** An application without offline mode gets no copy, even if the mode is switched off during a download. */
import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import * as offline from '@passwordbroker/core/contract/account/offline';
import * as people from '@passwordbroker/core/contract/users/people';
import { changeSettings } from '@passwordbroker/core/contract/site/site';
import { auditOf } from '../operations/testing/vault.ts';
import { createSealedPlace, sealedFileField } from '../testing/sealed-place.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { deviceOf } from './testing/device.ts';

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
let id: string;
beforeAll(async () => {
  app = await startTestApp();
  [ada, bob] = [await app.signUp('ada'), await app.signUp('bob')];
  await createSealedPlace(bob, { name: 'Operations', entry: 'Mail' });
});
afterAll(() => app.stop());
beforeEach(async () => {
  id = (await deviceOf(bob)).applicationId;
});

const copy = (person = bob) => person.call(offline.entryGroupsWithFields, { query: { user_application_id: id } });
const key = () => bob.call(offline.privateRsa, { query: { user_application_id: id } });
const off = () => bob.call(offline.setMode, { params: { id }, body: { status: false } });
/** The server's records of downloads by the application. */
async function given(): Promise<unknown> {
  const { read } = app.deps.db;
  const [row] = await read
    .selectFrom('user_applications')
    .select(['copy_fetched_at', 'key_state', 'key_fetched_at'])
    .where('user_application_id', '=', id)
    .execute();
  const count = async (table: 'offline_copies' | 'offline_releases') =>
    (await read.selectFrom(table).selectAll().where('user_application_id', '=', id).execute()).length;
  return {
    ...row,
    copies: await count('offline_copies'),
    releases: await count('offline_releases'),
    downloads: (await auditOf(app.deps, 'offline_downloaded', id)).length,
  };
}
const NOTHING = { copy_fetched_at: null, key_state: null, key_fetched_at: null, copies: 0, releases: 0, downloads: 0 };
const OFF = {
  code: 'offline_mode_off',
  message: 'Offline mode is switched off in this browser or program.',
};

test('without offline mode an application gets neither key nor copy; without an application both are available', async () => {
  await off();
  for (const part of [copy, key]) await expect(part()).rejects.toMatchObject(OFF);
  expect(await given()).toEqual(NOTHING);
  const answer = await bob.request({ path: `${offline.privateRsa.path}?user_application_id=${id}` });
  expect([answer.status, answer.json()['code']]).toEqual([409, OFF.code]);
  expect((await bob.call(offline.entryGroupsWithFields)).data?.groups).toHaveLength(1);
  expect((await bob.call(offline.privateRsa)).rsa_private_key_base64).not.toBe('');
});

/** Runs `act` after the response was built and before the download is recorded. */
function whileItIsMade(act: () => Promise<unknown>) {
  const run = app.deps.offlineCopies.run.bind(app.deps.offlineCopies);
  return vi.spyOn(app.deps.offlineCopies, 'run').mockImplementationOnce(async (work) => {
    const made = await run(work);
    await act();
    return made as never;
  });
}

describe('during a download', () => {
  test('switching offline mode off withholds the response and records nothing', async () => {
    whileItIsMade(off);
    await expect(copy()).rejects.toMatchObject(OFF);
    expect(await given()).toEqual(NOTHING);
  });

  test('forgetting the application withholds the response', async () => {
    whileItIsMade(() => bob.call(offline.forgetApplication, { params: { id } }));
    await expect(copy()).rejects.toMatchObject({ code: 'offline_mode_off' });
    expect(await auditOf(app.deps, 'offline_downloaded', id)).toHaveLength(0);
  });

  test('forbidding copies on the site withholds the response, with an application or without', async () => {
    const forbid = (offline_allowed: boolean) => ada.call(changeSettings, { body: { offline_allowed } });
    try {
      whileItIsMade(() => forbid(false));
      await expect(copy()).rejects.toMatchObject({ code: 'forbidden' });
      await expect(key()).rejects.toMatchObject({ code: 'forbidden' });
      await forbid(true);
      whileItIsMade(() => forbid(false));
      await expect(bob.call(offline.entryGroupsWithFields)).rejects.toMatchObject({ code: 'forbidden' });
    } finally {
      await forbid(true);
    }
    expect(await given()).toEqual(NOTHING);
  });

  test('removing the account withholds the response', async () => {
    const carol = await app.signUp('carol');
    id = (await deviceOf(carol)).applicationId;
    whileItIsMade(() => ada.call(people.remove, { params: { id: carol.userId }, body: {} }));
    await expect(copy(carol)).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  test('switching offline mode off withholds the key', async () => {
    const { db } = app.deps;
    const transactBeside = db.transactBeside.bind(db);
    vi.spyOn(db, 'transactBeside').mockImplementationOnce(async (work) => {
      const recorded = await transactBeside(work);
      await off();
      return recorded as never;
    });
    await expect(key()).rejects.toMatchObject(OFF);
    expect(await given()).toEqual(NOTHING);
  });

  test('nothing is recorded once offline mode is off, whatever the order of concurrent requests', async () => {
    for (let times = 0; times < 5; times += 1) {
      await bob.call(offline.setMode, { params: { id }, body: { status: true } });
      const outcomes = await Promise.allSettled([copy(), off(), key()]);
      expect(outcomes[1].status).toBe('fulfilled');
      expect(await given()).toMatchObject({ copies: 0, key_state: null, copy_fetched_at: null, key_fetched_at: null });
    }
  });
});

test('another person’s application is refused before its offline mode is checked', async () => {
  await off();
  await expect(copy(ada)).rejects.toMatchObject({ code: 'forbidden' });
  id = v7();
  await expect(copy(ada)).rejects.toMatchObject({ code: 'not_found' });
});

test('without offline_files the check reports it, and files are refused for copies but not for people', async () => {
  const place = await createSealedPlace(bob, { name: 'Files', entry: 'Contract' });
  const { members, body } = await sealedFileField(place);
  const multipart = new FormData();
  for (const [name, value] of Object.entries(members)) multipart.append(name, String(value));
  multipart.append('file', new Blob([body]), 'sealed');
  const { field_id: f } = await bob.call(fields.create, { params: place, multipart });
  const path = `/passwordBroker/api/entryGroups/${place.g}/entries/${place.e}/fields/${f}/file`;
  const status = async (query = '') => (await bob.request({ path: `${path}${query}` })).status;
  const check = async () => (await bob.call(offline.isDatabaseStale, { params: { id } })).files;
  const forCopy = `?user_application_id=${id}`;
  expect([await check(), await status(forCopy), await status()]).toEqual([true, 200, 200]);
  await ada.call(changeSettings, { body: { offline_files: false } });
  expect([await check(), await status(forCopy), await status()]).toEqual([false, 403, 200]);
  // The copy itself still works.
  expect((await copy()).data?.groups).toHaveLength(2);
  await ada.call(changeSettings, { body: { offline_files: true } });
  expect([await check(), await status(forCopy)]).toEqual([true, 200]);
});
