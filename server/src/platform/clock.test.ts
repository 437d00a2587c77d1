/** A clock that was set: what notices it, and what counted by it (R63). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp } from '../testing/test-app.ts';
import type { TestApp } from '../testing/test-app.ts';
import { HOUR } from '../testing/test-clock.ts';
import { ATTEMPT_LIMITS, countAttempt, uncountAttempt } from './attempts.ts';
import { watchClock } from './clock.ts';
import { createLog } from './log.ts';
import { periodicJob } from './periodic-job.ts';

const DAY = 24 * HOUR;
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

test('a clock that is set by more than a minute is told once, and nothing counts as old for a day; sleep and small corrections are not told (R63)', () => {
  let [wall, steady] = [1_800_000_000_000, 5000];
  const lines: string[] = [];
  const log = createLog('warn', { write: (line: string) => void lines.push(line) });
  const watch = watchClock(log, { now: () => wall, elapsed: () => steady });
  const look = (passed: number, set = 0) => {
    [wall, steady] = [wall + passed + set, steady + passed];
    return watch.isSettled();
  };
  expect([look(1000), look(8 * HOUR), look(1000, 59_000), look(1000, -59_000)]).toEqual([true, true, true, true]);
  expect(lines).toEqual([]);
  expect([look(1000, DAY), look(DAY - 1000), look(1000)]).toEqual([false, false, true]);
  expect([look(0, -DAY), look(HOUR)]).toEqual([false, false]);
  expect(lines.map((line) => [/forward|back/.exec(line)?.[0], JSON.parse(line).seconds])).toEqual([
    ['forward', DAY / 1000],
    ['back', DAY / 1000],
  ]);
});

test('work that was done by a clock that was a day ahead is due again when its pause is over (R63)', async () => {
  let rounds = 0;
  const job = periodicJob(app.deps, { name: 'clock', every: HOUR, work: async () => void (rounds += 1) });
  app.clock.advance(DAY);
  expect([await job(), await job()]).toEqual([true, false]);
  app.clock.advance(-DAY);
  expect([await job(), await job(), rounds]).toEqual([true, false, 2]);
});

test('attempts that a clock a day ahead has counted lock nobody out, and those of now are counted and taken back (R63)', async () => {
  const { deps } = app;
  const limit = ATTEMPT_LIMITS.inviteToken;
  const count = () => countAttempt(deps, 'clock', limit);
  app.clock.advance(DAY);
  for (let n = 0; n < limit.max; n += 1) await count();
  await expect(count()).rejects.toMatchObject({ code: 'too_many_requests' });
  app.clock.advance(-DAY);
  for (let n = 0; n < 2 * limit.max; n += 1) {
    await count();
    await uncountAttempt(deps, 'clock');
  }
  for (let n = 0; n < limit.max; n += 1) await count();
  await expect(count()).rejects.toMatchObject({ code: 'too_many_requests' });
});
