/**
 * Random hostile requests to every endpoint of the contract cause no 500 and no hang, and leak nothing into
 * responses or the log.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type SignedIn, type TestApp } from '../testing/test-app.ts';
import { isOnPostgres } from '../testing/test-database.ts';
import { insertPlace } from '../testing/test-place.ts';
import type { TestRequest } from '../testing/test-client.ts';
import { CANARY, randomRequest } from './testing/random-request.ts';

/**
 * Most requests fail before they reach the engine, so fewer suffice on PostgreSQL, where each takes longer.
 */
const MANY = isOnPostgres ? 10_000 : 60_000;
const RUNS = process.env['TEST_LONG'] === undefined ? 500 : MANY;
/** A request may derive keys; a longer one counts as a hang. */
const LONGEST_MS = 10_000;
const LEAKS =
  /node_modules|\.[tj]s:\d+|SQLITE_|sqlite3|select .+ from |insert into |ENOENT|EISDIR|at Object\.|\/tmp\//i;

let app: TestApp;
let ada: SignedIn;
let ids: string[];
beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
  const bob = await app.signUp('bob');
  const place = await insertPlace(app.deps, { [ada.userId]: 'admin', [bob.userId]: 'member' });
  ids = [...Object.values(place), bob.userId];
});
afterAll(() => app.stop());

/** Ada with a valid session, even if an earlier request ended it. */
async function caller(): Promise<SignedIn> {
  const me = await ada.request({ path: '/identity/api/me' });
  if (me.json().message !== 'loggedIn') {
    app.clock.advance(20 * 60_000);
    ada = await app.signIn(ada);
  }
  return ada;
}

const describeRequest = ({ method, path, json, form, raw, headers }: TestRequest) =>
  JSON.stringify({ method, path, json, form, raw: raw?.toString('latin1'), headers }).slice(0, 1500);

async function judge(request: TestRequest, client: { request: SignedIn['request'] }): Promise<number> {
  const began = performance.now();
  const answer = await client.request(request);
  const what = `${describeRequest(request)} → ${answer.status} ${answer.text.slice(0, 300)}`;
  expect(performance.now() - began, what).toBeLessThan(LONGEST_MS);
  expect(answer.status, what).toBeGreaterThanOrEqual(200);
  expect([500, 501, 502, 504], what).not.toContain(answer.status);
  expect(answer.text, what).not.toContain(CANARY);
  expect(answer.text, what).not.toMatch(LEAKS);
  if (answer.status >= 400 && answer.text !== '') {
    expect(Object.keys(answer.json()), what).toEqual(expect.arrayContaining(['message', 'code', 'request_id']));
  }
  return answer.status;
}

test(
  `${RUNS} random requests by a signed-in person and a guest cause no error or leak`,
  { timeout: 1_200_000 },
  async () => {
    const seen = new Set<number>();
    let count = 0;
    await fc.assert(
      fc.asyncProperty(randomRequest(ids), fc.boolean(), async (request, isGuest) => {
        count += 1;
        seen.add(await judge(request, isGuest ? app.guest() : await caller()));
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
    expect(count).toBeGreaterThanOrEqual(RUNS);
    // The requests reach many different outcomes.
    expect([...seen]).toEqual(expect.arrayContaining([200, 400, 401, 404, 405, 422]));
    expect(app.log.filter((line) => line.includes(CANARY))).toEqual([]);
    expect(app.log.filter((line) => (JSON.parse(line) as { level: unknown }).level === 'error')).toEqual([]);
    const me = await (await caller()).request({ path: '/identity/api/me' });
    expect(me.status).toBe(200);
  },
);
