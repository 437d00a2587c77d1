/**
 * 5,000 entries with histories and files move from one engine to the other and back. Without PostgreSQL all
 * databases are embedded ones.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp } from '../../testing/test-app.ts';
import type { TestApp } from '../../testing/test-app.ts';
import { isOnPostgres } from '../../testing/test-database.ts';
import { roundTrip } from '../testing/round-trip.ts';
import type { RoundTrip } from '../testing/round-trip.ts';
import { fillSealed } from '../testing/sealed-vault.ts';

const ENTRIES = 5000;
const EMBEDDED = { environment: { DATABASE_URL: '' } };
const MB = 1_000_000;
let apps: TestApp[];
beforeAll(async () => {
  apps = await Promise.all([startTestApp(EMBEDDED), startTestApp(), startTestApp(EMBEDDED)]);
});
afterAll(async () => {
  for (const app of apps) await app.stop();
});

const story = ({ archive, making, recovering, opening, opened }: RoundTrip) =>
  `${(archive / MB).toFixed(1)} MB; made and proven in ${(making / 1000).toFixed(1)} s, recovered in ` +
  `${(recovering / 1000).toFixed(1)} s, ${opened.values} values and ${opened.files} files opened in ${(opening / 1000).toFixed(1)} s`;

test('all values and files survive the way to the other engine and back', { timeout: 900_000 }, async () => {
  const [first, second, third] = apps as [TestApp, TestApp, TestApp];
  expect(second.deps.db.dialect).toBe(isOnPostgres ? 'postgres' : 'sqlite');
  const ada = await first.signUp('ada');
  const groupId = await fillSealed(first, ada, ENTRIES);
  const whole = { values: ENTRIES * 4, files: (ENTRIES / 10) * 2 };
  const there = await roundTrip(first, second, { person: ada, groupId });
  expect(there.opened).toEqual(whole);
  const back = await roundTrip(second, third, { person: await second.signIn(ada), groupId });
  expect([back.opened, back.backup.counts]).toEqual([whole, there.backup.counts]);
  const peak = process.resourceUsage().maxRSS / 1000;
  console.info(
    `${ENTRIES} entries to ${second.deps.db.dialect}: ${story(there)}. Back: ${story(back)}. Peak of the process: ${peak.toFixed(0)} MB`,
  );
});
