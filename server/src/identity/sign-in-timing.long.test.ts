/**
 * The time of a refused sign-in does not tell whether the account exists (T2): 200 samples of each
 * kind in turns, Mann–Whitney p > 0.01, medians within 5 ms. Noise of the machine affects all kinds
 * alike, so ranks are robust against it. Where medians of wall time are not known to 5 ms, the CPU
 * time of the process with its threads is compared instead. A control kind that takes 8 ms longer
 * has to be distinguished; otherwise the machine is unsuitable.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as people from '@passwordbroker/core/contract/users/people';
import { accountPasswords } from '../platform/passwords/argon2.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { HOUR } from '../testing/test-clock.ts';

const SAMPLES = 200;
/** Chance alone fails one comparison in 100; a real difference becomes clearer with more samples. */
const SERIES = 3;
const LIMIT_MS = 5;
const CONTROL_MS = 8;

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
let cleo: SignedIn;
beforeAll(async () => {
  app = await startTestApp({ environment: { LOG_LEVEL: 'silent' }, accountPasswords: accountPasswords() });
  ada = await app.signUp('ada');
  bob = await app.signUp('bob');
  cleo = await app.signUp('cleo');
  await ada.call(people.setDisabled, { params: { id: bob.userId }, body: { status: true } });
});
afterAll(() => app.stop());

interface Sample {
  /** Milliseconds of wall time. */
  readonly wall: number;
  /** Milliseconds of CPU time. */
  readonly cpu: number;
}

/** One refused sign-in. Advances the server's clock so that no limit applies. */
async function sample(email: string, password: string, longer = 0): Promise<Sample> {
  app.clock.advance(24 * HOUR);
  const client = app.guest();
  await client.request({ path: '/sanctum/csrf-cookie' });
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  const { status } = await client.request({ path: '/identity/api/login', json: { email, password } });
  burn(longer);
  const { user, system } = process.cpuUsage(cpu);
  const taken = { wall: performance.now() - start, cpu: (user + system) / 1000 };
  expect(status).toBe(401);
  return taken;
}

/** Uses that many milliseconds of CPU time. */
function burn(ms: number): void {
  const begun = process.cpuUsage();
  const used = () => {
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / 1000;
  };
  while (ms > 0 && used() < ms);
}

/** Each kind fails at its own account, because earlier failures are read and have to be equally many. */
const KINDS = {
  wrong: () => sample(ada.email, 'wrong'),
  unknown: () => sample('nobody@example.org', 'wrong'),
  disabled: () => sample(bob.email, bob.password),
  control: () => sample(cleo.email, 'wrong', CONTROL_MS),
} as const;
type Kind = keyof typeof KINDS;
const NAMES = Object.keys(KINDS) as readonly Kind[];

const quantile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;
const median = (values: readonly number[]) => quantile(values, 0.5);
/** Of the median, from the interquartile range. */
const standardError = (values: readonly number[]) =>
  (1.2533 * (quantile(values, 0.75) - quantile(values, 0.25))) / 1.349 / Math.sqrt(values.length);

/** Mann–Whitney: two-sided p-value by normal approximation. */
function probability(a: readonly number[], b: readonly number[]): number {
  const ranked = [...a.map((value) => ({ value, isA: true })), ...b.map((value) => ({ value, isA: false }))].sort(
    (x, y) => x.value - y.value,
  );
  const ranks = ranked.reduce((sum, { isA }, at) => (isA ? sum + at + 1 : sum), 0);
  const u = ranks - (a.length * (a.length + 1)) / 2;
  const deviation = Math.sqrt((a.length * b.length * (a.length + b.length + 1)) / 12);
  const z = Math.abs(u - (a.length * b.length) / 2) / deviation;
  // Abramowitz and Stegun 26.2.17.
  const t = 1 / (1 + 0.2316419 * z);
  const tail =
    (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) *
    (t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429)))));
  return 2 * tail;
}

interface Verdict {
  readonly p: number;
  /** Milliseconds between the medians, of wall time if known to `LIMIT_MS`, else of CPU time. */
  readonly apart: number;
  readonly told: string;
}

function compare(one: readonly Sample[], other: readonly Sample[]): Verdict {
  const by = (name: keyof Sample) => {
    const [a, b] = [one.map((each) => each[name]), other.map((each) => each[name])];
    const apart = Math.abs(median(a) - median(b));
    return { apart, p: probability(a, b), known: 3 * Math.hypot(standardError(a), standardError(b)) };
  };
  const [wall, cpu] = [by('wall'), by('cpu')];
  const told = Object.entries({ wall, cpu })
    .map(
      ([name, { apart, known, p }]) =>
        `${name} ${apart.toFixed(2)} ms apart, known to ${known.toFixed(2)}, p = ${p.toFixed(3)}`,
    )
    .join('; ');
  return { p: wall.p, apart: wall.known < LIMIT_MS ? wall.apart : cpu.apart, told };
}

const isAlike = ({ p, apart }: Verdict) => p > 0.01 && apart < LIMIT_MS;

test(
  'an unknown e-mail, a wrong password and a disabled account take the same time (T2)',
  { timeout: 900_000 },
  async () => {
    const taken: Record<Kind, Sample[]> = { wrong: [], unknown: [], disabled: [], control: [] };
    for (const name of NAMES) for (let n = 0; n < 10; n += 1) await KINDS[name]();
    const verdicts = new Map<Kind, Verdict>();
    for (let series = 0; series < SERIES; series += 1) {
      for (let n = 0; n < SAMPLES; n += 1) {
        // Each kind takes each position equally often.
        for (let at = 0; at < NAMES.length; at += 1) {
          const name = NAMES[(n + at) % NAMES.length] ?? 'wrong';
          taken[name].push(await KINDS[name]());
        }
      }
      for (const other of ['unknown', 'disabled', 'control'] as const) {
        const verdict = compare(taken.wrong, taken[other]);
        verdicts.set(other, verdict);
        console.info(`${taken.wrong.length} samples, wrong against ${other}: ${verdict.told}`);
      }
      const isTold = !isAlike(verdicts.get('control')!);
      if (isTold && isAlike(verdicts.get('unknown')!) && isAlike(verdicts.get('disabled')!)) break;
    }
    for (const other of ['unknown', 'disabled'] as const) {
      expect([other, verdicts.get(other)?.p]).toEqual([other, expect.toSatisfy((p: number) => p > 0.01)]);
      expect(verdicts.get(other)?.apart).toBeLessThan(LIMIT_MS);
    }
    expect(isAlike(verdicts.get('control')!)).toBe(false);
  },
);
