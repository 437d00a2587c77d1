/** Removal of marks of changes during concurrent writes. */
import { v7 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as entries from '@passwordbroker/core/contract/entries/entries';
import { sweep } from '../system/housekeeping.ts';
import { connectTo } from '../testing/postgres-client.ts';
import { createSealedPlace } from '../testing/sealed-place.ts';
import { type SignedIn, type TestApp, startTestApp } from '../testing/test-app.ts';
import { HOUR } from '../testing/test-clock.ts';
import { settled } from './testing/settled.ts';

let app: TestApp;
let ada: SignedIn;
beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
});
afterAll(() => app.stop());

const marked = async () => {
  const rows = await app.deps.db.read.selectFrom('changed_entries').select('entry_id').execute();
  return rows.map(({ entry_id }) => entry_id);
};

test('a mark that a transaction has locked is skipped until the next sweep, without waiting', async () => {
  const places = [
    await createSealedPlace(ada, { name: 'Operations', entry: 'Mail' }),
    await createSealedPlace(ada, { name: 'Accounting', entry: 'Bank' }),
  ];
  // Entries of a new group have no marks of their own.
  await settled(app);
  for (const params of places) await ada.call(entries.rename, { params, body: { title: v7() } });
  const ids = places.map(({ e }) => e);
  expect((await marked()).toSorted()).toEqual(ids.toSorted());
  await settled(app);
  await sweep(app.deps);
  app.clock.advance(2 * HOUR);
  const client = await connectTo(app.environment['DATABASE_URL']);
  await client.query('begin');
  await client.query('select from changed_entries where entry_id = $1 for update', [ids[1]]);
  await sweep(app.deps);
  expect(await marked()).toEqual([ids[1]]);
  await client.query('commit');
  await client.end();
  app.clock.advance(2 * HOUR);
  await sweep(app.deps);
  expect(await marked()).toEqual([]);
});
