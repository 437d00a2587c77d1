/**
 * Each scheduled hour runs once: two processes, saved settings, long backups and changed clocks (R24, R27).
 */
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

/** Midnight; the test clock starts at 09:30. */
const DAY = Date.UTC(2026, 2, 1);
let app: TestApp;
let ada: SignedIn;
beforeEach(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
});
afterEach(() => app.stop());

const save = async (schedule: number[], more: object = {}) => {
  // The session may have expired.
  const admin = await app.signIn(ada);
  await admin.call(backups.changeSettings, { body: { schedule, enable: true, email_enable: false, ...more } });
};
const setClock = (at: number) => app.clock.advance(at - app.clock.now());
const rows = () => app.deps.db.read.selectFrom('backups').selectAll().orderBy('backup_id').execute();
const slots = async () => (await rows()).flatMap(({ slot }) => slot ?? []);

test('R24: each hour runs once, also with two processes; the latest missed one is made up once; earlier ones are not', async () => {
  await save([9, 12, 18]);
  expect(await queueDueSlot(app.deps)).toBe(false);
  setClock(DAY + 12 * HOUR);
  const both = await Promise.all([queueDueSlot(app.deps), queueDueSlot(app.deps)]);
  expect(both.toSorted()).toEqual([false, true]);
  const made = await Promise.all([makeWaiting(app.deps), makeWaiting(app.deps)]);
  expect(made.toSorted()).toEqual([0, 1]);
  // After two days without a server only the last hour is made up.
  app.clock.advance(48 * HOUR + MINUTE);
  expect([await queueDueSlot(app.deps), await queueDueSlot(app.deps)]).toEqual([true, false]);
  expect(await slots()).toEqual(['2026-03-01T12', '2026-03-03T12']);
  await save([9, 12, 18], { enable: false });
  app.clock.advance(24 * HOUR);
  expect(await queueDueSlot(app.deps)).toBe(false);
});

test('saving settings first queues an hour that was due under the old settings, once', async () => {
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

test('hours during which the schedule was disabled are not made up when it is enabled', async () => {
  await save([12], { enable: false });
  setClock(DAY + 13 * HOUR);
  await save([12]);
  expect([await queueDueSlot(app.deps), await slots()]).toEqual([false, []]);
});

test('an hour that comes due during a long backup waits in the queue', async () => {
  await save([12, 13]);
  await ada.call(backups.create);
  // The first transaction marks the start; the second would end it.
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

test('R27: after a clock that was a year ahead is set back, each hour runs once and retention keeps the latest made', async () => {
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
  // A new process does not know the ids of the previous one.
  await app.restart();
  await make();
  setClock(DAY + 18 * HOUR);
  await make();
  // The clock goes back an hour, so 18:00 comes twice.
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
