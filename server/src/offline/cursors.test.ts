/** Validity of cursors, and removal of the marks of changes. */
import { v7 } from 'uuid';
import { expect, test } from 'vitest';
import * as offline from '@passwordbroker/core/contract/account/offline';
import { sweep } from '../system/housekeeping.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { HOUR } from '../testing/test-clock.ts';
import { type Device, deviceOf } from './testing/device.ts';
import { withFollowedCopy } from './testing/followed-copy.ts';
import { settled } from './testing/settled.ts';

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
let device: Device;
const change = withFollowedCopy((copy) => ({ app, ada, bob, device } = copy));

const ask = (person: SignedIn, query: { user_application_id?: string; since?: string }) =>
  person.call(offline.entryGroupsWithFields, { query });

test('a missing, foreign or unknown cursor gets a full copy', async () => {
  const { applicationId: user_application_id } = device;
  const { cursor } = await ask(bob, { user_application_id });
  const other = await deviceOf(bob);
  const of = async (person: SignedIn, query: object) => Object.keys(await ask(person, query)).toSorted();
  expect(await of(bob, { user_application_id, since: cursor })).toEqual(['cursor', 'delta', 'timestamp']);
  const all = ['cursor', 'data', 'timestamp'];
  expect(await of(bob, { user_application_id: other.applicationId, since: cursor })).toEqual(all);
  expect(await of(bob, { since: cursor })).toEqual(all);
  expect(await of(ada, { since: cursor })).toEqual(all);
  for (const since of ['', v7(), 'x', '%']) expect(await of(bob, { user_application_id, since })).toEqual(all);
  const { status } = await bob.request({ path: `${offline.entryGroupsWithFields.path}?since=${'x'.repeat(101)}` });
  expect(status).toBe(422);
});

test('a cursor stays valid after its response was lost, until three others have followed', async () => {
  const { applicationId: user_application_id } = device;
  const { cursor: since } = await ask(bob, { user_application_id });
  await change();
  await settled(app);
  for (let times = 0; times < 3; times += 1) {
    const { delta } = await ask(bob, { user_application_id, since });
    expect(delta?.groups.map(({ entries: all }) => all.length)).toEqual([1]);
  }
  expect((await ask(bob, { user_application_id, since })).data).toBeDefined();
  const { status } = await bob.call(offline.isDatabaseStale, {
    params: { id: user_application_id },
    query: { since },
  });
  expect(status).toBe(true);
});

test('without a cursor the newest response of the application counts, until offline mode is switched off', async () => {
  const id = device.applicationId;
  const isStale = async () => (await bob.call(offline.isDatabaseStale, { params: { id } })).status;
  expect(await isStale()).toBe(false);
  await change();
  expect(await isStale()).toBe(true);
  await settled(app);
  await device.follow();
  expect(await isStale()).toBe(false);
  await bob.call(offline.setMode, { params: { id }, body: { status: true } });
  expect(await isStale()).toBe(false);
  await bob.call(offline.setMode, { params: { id }, body: { status: false } });
  expect([await isStale(), await device.isStale()]).toEqual([true, true]);
});

test('marks that no copy needs are removed; a copy that is too old is forgotten', async () => {
  const count = async (table: 'changed_entries' | 'changed_access' | 'offline_copies') =>
    (await app.deps.db.read.selectFrom(table).selectAll().execute()).length;
  await change();
  await sweep(app.deps);
  // The oldest copy may still need them.
  expect(await count('changed_entries')).toBeGreaterThan(0);
  app.clock.advance(61 * 24 * HOUR);
  [ada, bob] = [await app.signIn(ada), await app.signIn(bob)];
  const present = await deviceOf(bob);
  await settled(app);
  await present.fetch();
  app.clock.advance(0.5 * HOUR);
  await sweep(app.deps);
  expect(await count('changed_entries')).toBeGreaterThan(0);
  app.clock.advance(1.5 * HOUR);
  await sweep(app.deps);
  expect([await count('changed_entries'), await count('changed_access'), await count('offline_copies')]).toEqual([
    0, 0, 1,
  ]);
  [ada, bob] = [await app.signIn(ada), await app.signIn(bob)];
  const id = device.applicationId;
  expect((await bob.call(offline.isDatabaseStale, { params: { id } })).status).toBe(true);
});
