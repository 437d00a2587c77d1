/** Checking a copy does not wait for concurrent writers and does not block them. */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { BetterSqlite } from '../db/sqlite/connections.ts';
import type { SealedPlace } from '../testing/sealed-place.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { isOnPostgres } from '../testing/test-database.ts';
import { findApplication } from './applications/application-repository.ts';
import { isDatabaseStale } from './applications/applications.ts';
import type { Device } from './testing/device.ts';
import { rename, withStaleChecks } from './testing/stale-checks.ts';

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
let place: SealedPlace;
let hers: SealedPlace;
let device: Device;
const { watched, isExact, fetchAnew, expectsNothingNew, stampOf } = withStaleChecks(
  (site) => ({ app, ada, bob, place, hers, device } = site),
);

const WAITS = Symbol('waits');
/** Result of the check while the write lock is held. */
async function askedDuring(hold: (work: () => Promise<void>) => Promise<void>): Promise<unknown> {
  let finish = () => {};
  const held = new Promise<void>((resolve) => (finish = resolve));
  let holding = Promise.resolve();
  await new Promise<void>((begun) => {
    holding = hold(() => {
      begun();
      return held;
    });
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<symbol>((resolve) => {
    timer = setTimeout(() => resolve(WAITS), 5_000);
  });
  const asked = watched(isDatabaseStale).then(({ stale }) => stale);
  const told = await Promise.race([asked, late]);
  clearTimeout(timer);
  finish();
  await Promise.all([holding, asked]);
  return told;
}
const ways: readonly (readonly [string, (work: () => Promise<void>) => Promise<void>])[] = [
  ['an import', (work) => app.deps.db.lendWriter(work)],
  ['an exclusive transaction', (work) => app.deps.db.exclusive(work)],
];

test.each(ways)(
  '%s does not delay the check, which reports foreign changes as fresh and own changes as stale',
  async (_, hold) => {
    await fetchAnew();
    await rename(ada, hers);
    expect(await askedDuring(hold)).toBe(false);
    // The copy advances once the write lock is free.
    if (isExact()) expect((await watched(isDatabaseStale)).stale).toBe(false);
    await expectsNothingNew();
    await rename(bob, place);
    expect(await askedDuring(hold)).toBe(true);
  },
);

test('the check writes nothing after an own change', async () => {
  await fetchAnew();
  await rename(bob, place);
  const cursor = async () =>
    app.deps.db.dialect === 'sqlite'
      ? (await sql`select stamp from change_clock`.execute(app.deps.db.read)).rows
      : await stampOf();
  const before = await cursor();
  expect((await watched(isDatabaseStale)).stale).toBe(true);
  expect(await cursor()).toEqual(before);
});

test.skipIf(isOnPostgres)('on the embedded engine the check answers even if it cannot write', async () => {
  const { db } = app.deps;
  await fetchAnew();
  await rename(ada, hers);
  const patience = (ms: number) => db.transact((tx) => sql.raw(`pragma busy_timeout = ${ms}`).execute(tx));
  await patience(1);
  const other = new BetterSqlite(db.path);
  other.exec('begin immediate');
  await expect(db.transactBeside((tx) => tx.deleteFrom('change_floor').execute())).rejects.toMatchObject({
    code: 'SQLITE_BUSY',
  });
  expect((await watched(isDatabaseStale)).stale).toBe(false);
  other.exec('rollback');
  other.close();
  await patience(5000);
  expect((await watched(isDatabaseStale)).stale).toBe(false);
  await expectsNothingNew();
});

test('an own change between the check and the new cursor is reported', async () => {
  await fetchAnew();
  await rename(ada, hers);
  const { db } = app.deps;
  const row = await findApplication(db.read, device.applicationId);
  if (row === undefined) throw new Error('no application');
  const late = Object.create(db, {
    transactIfFree: {
      value: async (work: Parameters<typeof db.transactIfFree>[0]) => {
        await rename(bob, place);
        return db.transactIfFree(work);
      },
    },
  }) as typeof db;
  expect(await isDatabaseStale({ ...app.deps, db: late }, row)).toBe(true);
  expect((await watched(isDatabaseStale)).stale).toBe(true);
});
