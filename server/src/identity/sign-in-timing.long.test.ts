/** Whether an account exists cannot be told from the time of a refused sign-in (T2): two hundred samples of each kind, taken in turns. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as people from '@passwordbroker/core/contract/people';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { HOUR } from '../testing/test-clock.ts';

const SAMPLES = 200;

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
beforeAll(async () => {
  app = await startTestApp({ environment: { LOG_LEVEL: 'silent' } });
  ada = await app.signUp('ada');
  bob = await app.signUp('bob');
  await ada.call(people.setDisabled, { params: { id: bob.userId }, body: { status: true } });
});
afterAll(() => app.stop());

/** Milliseconds of one refused sign-in. The clock moves on, so that no limit bites. */
async function sample(email: string, password: string): Promise<number> {
  app.clock.advance(24 * HOUR);
  const client = app.guest();
  await client.request({ path: '/sanctum/csrf-cookie' });
  const start = performance.now();
  const { status } = await client.request({ path: '/identity/api/login', json: { email, password } });
  const taken = performance.now() - start;
  expect(status).toBe(401);
  return taken;
}

const quantile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;
const median = (values: readonly number[]) => quantile(values, 0.5);
/** Of a median, from the spread of the middle half. */
const standardError = (values: readonly number[]) =>
  (1.2533 * (quantile(values, 0.75) - quantile(values, 0.25))) / 1.349 / Math.sqrt(values.length);

/** Mann–Whitney: how probable a difference like this is when there is none (normal approximation, two sides). */
function probability(a: readonly number[], b: readonly number[]): number {
  const ranked = [...a.map((value) => ({ value, isA: true })), ...b.map((value) => ({ value, isA: false }))].sort(
    (x, y) => x.value - y.value,
  );
  const ranks = ranked.reduce((sum, { isA }, at) => (isA ? sum + at + 1 : sum), 0);
  const u = ranks - (a.length * (a.length + 1)) / 2;
  const mean = (a.length * b.length) / 2;
  const deviation = Math.sqrt((a.length * b.length * (a.length + b.length + 1)) / 12);
  return twoSided(Math.abs(u - mean) / deviation);
}

/** Of the standard normal distribution (Abramowitz and Stegun 26.2.17, error below 1e-7). */
function twoSided(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const tail = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return 2 * (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * tail;
}

test(
  'an unknown e-mail, a wrong password and a disabled account take the same time',
  { timeout: 300_000 },
  async () => {
    const kinds = {
      wrong: () => sample(ada.email, 'wrong'),
      unknown: () => sample('nobody@example.org', 'wrong'),
      disabled: () => sample(bob.email, bob.password),
    };
    const times = { wrong: [] as number[], unknown: [] as number[], disabled: [] as number[] };
    const names = ['wrong', 'unknown', 'disabled'] as const;
    for (const name of names) for (let n = 0; n < 10; n += 1) await kinds[name]();
    for (let n = 0; n < SAMPLES; n += 1) {
      // Each kind comes first, second and last equally often.
      for (let at = 0; at < names.length; at += 1) {
        const name = names[(n + at) % names.length] ?? 'wrong';
        times[name].push(await kinds[name]());
      }
    }
    const told = names.map((name) => `${name}: median ${median(times[name]).toFixed(2)} ms`);
    for (const other of ['unknown', 'disabled'] as const) {
      const p = probability(times.wrong, times[other]);
      const apart = Math.abs(median(times.wrong) - median(times[other]));
      // On a busy machine the medians themselves are not known to 5 ms.
      const blur = 3 * Math.hypot(standardError(times.wrong), standardError(times[other]));
      console.info(
        `${told.join(', ')}; wrong against ${other}: p = ${p.toFixed(3)}, medians ${apart.toFixed(2)} ms apart, known to ${blur.toFixed(2)} ms`,
      );
      expect(p).toBeGreaterThan(0.01);
      expect(apart).toBeLessThan(Math.max(5, blur));
    }
  },
);
