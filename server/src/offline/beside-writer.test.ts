/**
 * A copy that is downloaded during a long write, e.g. an import, is built meanwhile, and the next one has the
 * changes.
 */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { takeCursor } from '../db/change-stamp.ts';
import { type SealedPlace, createSealedPlace } from '../testing/sealed-place.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { isOnPostgres } from '../testing/test-database.ts';
import { type Device, deviceOf } from './testing/device.ts';

let app: TestApp;
let ada: SignedIn;
let place: SealedPlace;
let device: Device;

beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
  place = await createSealedPlace(ada, { name: 'Operations', entry: 'Mail' });
  device = await deviceOf(ada);
  await device.fetch();
});
afterAll(() => app.stop());

/** Renames the entry in an open transaction. @returns a function that commits it */
async function renameSlowly(title: string): Promise<() => Promise<void>> {
  let end = () => {};
  const held = new Promise<void>((resolve) => (end = resolve));
  let begun = () => {};
  const isBegun = new Promise<void>((resolve) => (begun = resolve));
  const over = app.deps.db.transact(async (tx) => {
    await tx.updateTable('entries').set({ title }).where('entry_id', '=', place.e).execute();
    begun();
    await held;
  });
  await isBegun;
  return () => {
    end();
    return over;
  };
}
const titles = () => device.copy().groups.flatMap(({ entries }) => entries.map(({ title }) => title));

test.skipIf(isOnPostgres)('on the embedded engine a copy is built while a long write is running', async () => {
  const end = await renameSlowly('Post');
  const made = vi.spyOn(app.deps.offlineCopies, 'run');
  const fetching = device.follow();
  try {
    await vi.waitFor(() => expect(made).toHaveBeenCalledOnce(), 20_000);
    await made.mock.results[0]?.value;
  } finally {
    await end();
    made.mockRestore();
  }
  await fetching;
  expect(titles()).toEqual(['Mail']);
  expect(await device.isStale()).toBe(true);
  await device.follow();
  expect(titles()).toEqual(['Post']);
  expect(await device.isStale()).toBe(false);
});

test('a cursor taken after a concurrent write covers its changes', async () => {
  const end = await renameSlowly('Mail');
  const cursor = await takeCursor(app.deps.db).finally(end);
  const { stamp } = await app.deps.db.read
    .selectFrom('changed_entries')
    .select('stamp')
    .where('entry_id', '=', place.e)
    .executeTakeFirstOrThrow();
  expect(Number(stamp)).toBeGreaterThanOrEqual(cursor);
});
