/** Each hour of the schedule once: two processes, saved settings, long backups and clocks that are set (R24, R27). */
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as backups from '@passwordbroker/core/contract/site/backups';
import type { Deps } from '../../http/context.ts';
import { startTestApp } from '../../testing/test-app.ts';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';
import { HOUR, MINUTE } from '../../testing/test-clock.ts';
import { makeWaiting } from './make-backup.ts';
import { queueDueSlot } from './queue.ts';
import { startBackups } from '../start-backups.ts';
import { heldUp } from '../testing/held-up.ts';

/** Of the test clock: 09:30. */
const DAY = Date.UTC(2026, 2, 1);
let app: TestApp;
let ada: SignedIn;
beforeEach(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
});
afterEach(() => app.stop());

const save = async (schedule: number[], more: object = {}) => {
  // Hours after the last one, the session has ended.
  const admin = await app.signIn(ada);
  await admin.call(backups.changeSettings, { body: { schedule, enable: true, email_enable: false, ...more } });
};
const setClock = (at: number) => app.clock.advance(at - app.clock.now());
const rows = () => app.deps.db.read.selectFrom('backups').selectAll().orderBy('backup_id').execute();
const slots = async () => (await rows()).flatMap(({ slot }) => slot ?? []);

test('R24: each hour once, also when two processes look; a missed one is made up once; earlier ones were not missed', async () => {
  await save([9, 12, 18]);
  expect(await queueDueSlot(app.deps)).toBe(false);
  setClock(DAY + 12 * HOUR);
  const both = await Promise.all([queueDueSlot(app.deps), queueDueSlot(app.deps)]);
  expect(both.toSorted()).toEqual([false, true]);
  const made = await Promise.all([makeWaiting(app.deps), makeWaiting(app.deps)]);
  expect(made.toSorted()).toEqual([0, 1]);
  // Down for two days: the last hour alone is made up.
  app.clock.advance(48 * HOUR + MINUTE);
  expect([await queueDueSlot(app.deps), await queueDueSlot(app.deps)]).toEqual([true, false]);
  expect(await slots()).toEqual(['2026-03-01T12', '2026-03-03T12']);
  await save([9, 12, 18], { enable: false });
  app.clock.advance(24 * HOUR);
  expect(await queueDueSlot(app.deps)).toBe(false);
});

test('settings saved before anybody has looked: the hour that had come is queued by the old ones, once', async () => {
  await save([12]);
  setClock(DAY + 12 * HOUR);
  await save([15], { keep: 5 });
  expect(await slots()).toEqual(['2026-03-01T12']);
  expect(await queueDueSlot(app.deps)).toBe(false);
  await save([12, 15]);
  await save([12, 15]);
  expect([await queueDueSlot(app.deps), await slots()]).toEqual([false, ['2026-03-01T12']]);
  setClock(DAY + 15 * HOUR);
  await Promise.all([save([15]), queueDueSlot(app.deps), save([12, 15]), queueDueSlot(app.deps)]);
  expect(await slots()).toEqual(['2026-03-01T12', '2026-03-01T15']);
});

test('what was switched off was not missed, and switching it on makes nothing up', async () => {
  await save([12], { enable: false });
  setClock(DAY + 13 * HOUR);
  await save([12]);
  expect([await queueDueSlot(app.deps), await slots()]).toEqual([false, []]);
});

test('an hour that comes while a long backup is made waits behind it', async () => {
  await save([12, 13]);
  await ada.call(backups.create);
  // Begun is the first act; the second one would end it.
  const slow = heldUp(app.deps, (act) => act === 2);
  const running = startBackups(slow.deps);
  try {
    await slow.reached;
    for (const hour of [12, 13]) {
      setClock(DAY + hour * HOUR);
      await expect.poll(slots, { timeout: 10_000 }).toContain(`2026-03-01T${hour}`);
    }
    expect((await rows()).map(({ state }) => state)).toEqual(['creating', 'await', 'await']);
  } finally {
    slow.letGo();
    await running.stop();
  }
});

test('R27: a clock that was a year ahead and is set back: the hours go on, each once, and the newest are those made last', async () => {
  const make = async (deps: Deps = app.deps) => {
    expect(await queueDueSlot(deps)).toBe(true);
    await makeWaiting(deps);
  };
  const year = 365 * 24 * HOUR;
  setClock(DAY + 11 * HOUR);
  app.clock.advance(year);
  await save([12, 18], { keep: 2 });
  app.clock.advance(HOUR);
  await make();
  app.clock.advance(-year);
  // Another process: its ids know nothing of those of the first one.
  await app.restart();
  await make();
  setClock(DAY + 18 * HOUR);
  await make();
  // An hour ahead and back again: 18:00 comes twice.
  app.clock.advance(-HOUR);
  expect(await queueDueSlot(app.deps)).toBe(false);
  setClock(DAY + 18 * HOUR + MINUTE);
  expect(await queueDueSlot(app.deps)).toBe(false);
  expect((await rows()).map(({ slot, state }) => [slot, state])).toEqual([
    ['2027-03-01T12', 'deleted'],
    ['2026-03-01T12', 'created'],
    ['2026-03-01T18', 'created'],
  ]);
  for (const { created_at, made_at, updated_at, deleted_at } of await rows()) {
    expect(made_at).toBeGreaterThanOrEqual(created_at);
    expect(Math.min(updated_at, deleted_at ?? updated_at)).toBeGreaterThan(0);
  }
});
