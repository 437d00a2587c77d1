/** Detects that the clock was set, and ignores times that a wrong clock gave (R63). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp } from '../testing/test-app.ts';
import type { TestApp } from '../testing/test-app.ts';
import { HOUR } from '../testing/test-clock.ts';
import { ATTEMPT_LIMITS, countAttempt, uncountAttempt } from './passwords/attempts.ts';
import { watchClock } from './clock.ts';
import { createLog } from './log.ts';
import { periodicJob } from './periodic-job.ts';

const DAY = 24 * HOUR;
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

test('a clock change of over a minute is logged once and pauses removal by age for a day; sleep and small corrections are ignored (R63)', () => {
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

test('a job that ran by a clock a day ahead is due again after its normal pause (R63)', async () => {
  let rounds = 0;
  const job = periodicJob(app.deps, { name: 'clock', every: HOUR, work: async () => void (rounds += 1) });
  app.clock.advance(DAY);
  expect([await job(), await job()]).toEqual([true, false]);
  app.clock.advance(-DAY);
  expect([await job(), await job(), rounds]).toEqual([true, false, 2]);
});

test('attempts dated a day ahead lock out no one; new attempts are counted and taken back (R63)', async () => {
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
