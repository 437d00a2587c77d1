/**
 * R51 with few entries: every value of every revision opens on the other engine and is unchanged. With 5,000
 * entries: the long test.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp } from '../../testing/test-app.ts';
import type { TestApp } from '../../testing/test-app.ts';
import { roundTrip } from '../testing/round-trip.ts';
import { fillSealed } from '../testing/sealed-vault.ts';

const ENTRIES = 60;
const EMBEDDED = { environment: { DATABASE_URL: '' } };
let apps: TestApp[];
beforeAll(async () => {
  apps = await Promise.all([startTestApp(EMBEDDED), startTestApp(), startTestApp(EMBEDDED)]);
});
afterAll(async () => {
  for (const app of apps) await app.stop();
});

test('R51: a vault moves from SQLite to PostgreSQL and back without a change', async () => {
  const [first, second, third] = apps as [TestApp, TestApp, TestApp];
  expect(apps.map(({ deps }) => deps.db.dialect)).toEqual(['sqlite', 'postgres', 'sqlite']);
  const ada = await first.signUp('ada');
  const groupId = await fillSealed(first, ada, ENTRIES);
  // Three revisions of a password and a note in each entry; two revisions of a file in every tenth.
  const whole = { values: ENTRIES * 4, files: (ENTRIES / 10) * 2 };
  const there = await roundTrip(first, second, { person: ada, groupId });
  expect(there.opened).toEqual(whole);
  expect(there.backup.counts).toMatchObject({ entries: ENTRIES, revisions: whole.values + whole.files });
  const back = await roundTrip(second, third, { person: await second.signIn(ada), groupId });
  expect([back.opened, back.backup.counts]).toEqual([whole, there.backup.counts]);
});
