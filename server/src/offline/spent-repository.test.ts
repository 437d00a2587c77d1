/** Marks of changes on a site without copies. */
import { v7 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as entries from '@passwordbroker/core/contract/entries/entries';
import * as offline from '@passwordbroker/core/contract/account/offline';
import { sweep } from '../system/housekeeping.ts';
import { type SealedPlace, createSealedPlace } from '../testing/sealed-place.ts';
import { type SignedIn, type TestApp, startTestApp } from '../testing/test-app.ts';
import { HOUR } from '../testing/test-clock.ts';
import { deviceOf } from './testing/device.ts';
import { settled } from './testing/settled.ts';

let app: TestApp;
let ada: SignedIn;
let place: SealedPlace;
beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
  place = await createSealedPlace(ada, { name: 'Operations', entry: 'Mail' });
});
afterAll(() => app.stop());

const rename = () => ada.call(entries.rename, { params: place, body: { title: v7() } });
const marks = async () => {
  const { read } = app.deps.db;
  const rows = [
    ...(await read.selectFrom('changed_entries').select('stamp').execute()),
    ...(await read.selectFrom('changed_access').select('stamp').execute()),
  ];
  return rows.length;
};
async function later(): Promise<void> {
  app.clock.advance(2 * HOUR);
  ada = await app.signIn(ada);
}

test('without any copy marks are removed, and the first copy gets all later changes', async () => {
  // Entries of a new group have no marks of their own.
  await (await deviceOf(ada)).fetch();
  await app.deps.db.transact((tx) => tx.deleteFrom('offline_copies').execute());
  await rename();
  expect(await marks()).toBeGreaterThan(1);
  await settled(app);
  // A copy in the making may need them.
  await sweep(app.deps);
  expect(await marks()).toBeGreaterThan(1);
  await later();
  await sweep(app.deps);
  expect(await marks()).toBe(0);

  const first = await deviceOf(ada);
  await first.fetch();
  await rename();
  await later();
  await sweep(app.deps);
  await later();
  await sweep(app.deps);
  expect(await marks()).toBeGreaterThan(0);
  const { status } = await ada.call(offline.isDatabaseStale, { params: { id: first.applicationId } });
  expect(status).toBe(true);
});
