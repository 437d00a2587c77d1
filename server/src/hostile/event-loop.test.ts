/** Bodies that are made to keep the server busy: none holds the event loop up for long, before or behind the sign-in (T140). */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import type { TestAnswer, TestRequest } from '../testing/test-client.ts';

const KIB = 1024;
const BUDGET_MS = 50;
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const JSON_TYPE = { 'content-type': 'application/json' };
const LOGIN = '/identity/api/login';
const WHOLE = 255 * KIB;

let app: TestApp;
let ada: SignedIn;
beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
});
afterAll(() => app.stop());

/** The longest that the event loop stood still during the request, milliseconds; of three tries the least, so that a busy machine is not the one judged. */
async function heldUpBy(send: () => Promise<TestAnswer>): Promise<{ readonly ms: number; readonly status: number }> {
  let [ms, status] = [Number.POSITIVE_INFINITY, 0];
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    await wait(5);
    delay.reset();
    ({ status } = await send());
    await wait(5);
    delay.disable();
    ms = Math.min(ms, delay.max / 1e6);
    if (ms < BUDGET_MS) break;
  }
  return { ms, status };
}

/** What a plain body of the same size costs here and now is free, twice. */
async function expectCheap(request: TestRequest, client: Pick<SignedIn, 'request'>, statuses: readonly number[]) {
  const size = Buffer.byteLength(String(request.raw));
  const isForm = request.headers === FORM;
  const plain = isForm ? `email=${'a'.repeat(size)}` : JSON.stringify({ email: 'a'.repeat(size), rewraps: 'x' });
  const control = await heldUpBy(() => client.request({ ...request, raw: plain }));
  const { ms, status } = await heldUpBy(() => client.request(request));
  expect(statuses).toContain(status);
  expect(ms).toBeLessThan(BUDGET_MS + 2 * control.ms);
}

const filled = (unit: (at: number) => string, size = WHOLE) => {
  let text = '';
  for (let at = 0; text.length < size; at += 1) text += unit(at);
  return text.slice(0, size);
};

const FORMS: readonly [name: string, body: string][] = [
  ['one sparse list in a list, many levels', `a${'[4999]'.repeat(5000)}[k]=1`],
  ['many sparse lists', filled((at) => `a[4999][${at % 5000}][4999][k]=1&`, 26 * KIB)],
  ['1,000 names', filled((at) => `n${at}=1&`, 5 * KIB)],
  ['names without end', filled((at) => `n${at}=1&`)],
  ['indices that grow', filled((at) => `a[${at}]=1&`, 10 * KIB)],
  ['indices backwards', filled((at) => `a[${999 - at}]=1&`, 9 * KIB)],
  ['brackets only', '['.repeat(WHOLE)],
  ['closed brackets only', `a${'[]'.repeat(WHOLE / 2 - 1)}`],
  ['separators only', '&'.repeat(WHOLE)],
  ['percent signs', '%41'.repeat(WHOLE / 3)],
  ['one long name', 'a'.repeat(WHOLE)],
  ['the same name', filled(() => 'a=1&', 3 * KIB)],
  ['names of prototypes', filled((at) => `a[__proto__][${at}]=1&`, 10 * KIB)],
];

test.each(FORMS)('T140: a form of %s, by nobody: less than 50 ms of the event loop', async (_name, raw) => {
  await expectCheap({ path: LOGIN, raw, headers: FORM }, app.guest(), [400, 422]);
});

const JSONS: readonly [name: string, body: string][] = [
  ['deep lists', '['.repeat(WHOLE)],
  ['deep objects', filled(() => '{"a":')],
  ['empty objects', `{"email":[${filled(() => '{},')}{}]}`],
  ['empty lists', `{"email":[${filled(() => '[],')}[]]}`],
  ['many names', `{${filled((at) => `"n${at}":1,`)}"x":1}`],
  ['escapes', `{"email":"${'\\u0041'.repeat(WHOLE / 6)}"}`],
  ['a number of many digits', `{"email":${'9'.repeat(WHOLE)}}`],
  ['quotes', '"'.repeat(WHOLE)],
];

test.each(JSONS)('T140: JSON of %s, by nobody: less than 50 ms of the event loop', async (_name, raw) => {
  await expectCheap({ path: LOGIN, raw, headers: JSON_TYPE }, app.guest(), [400, 401, 413, 422]);
});

test('T140: forms of any shape, by nobody: less than 50 ms of the event loop', { timeout: 120_000 }, async () => {
  const part = fc.oneof(
    fc.constantFrom(
      '[]',
      '[0]',
      '[999]',
      '[4999]',
      '[4294967295]',
      '[',
      ']',
      '[a]',
      '[__proto__]',
      'a',
      '%5B',
      '%',
      '+',
      'é',
    ),
    fc.string({ maxLength: 8 }),
  );
  const name = fc.array(part, { minLength: 1, maxLength: 40 }).map((parts) => parts.join(''));
  const body = fc
    .tuple(fc.array(name, { minLength: 1, maxLength: 50 }), fc.integer({ min: 1, max: 200 }))
    .map(([names, times]) => `${names.join('=1&')}=1&`.repeat(times).slice(0, WHOLE));
  await fc.assert(
    fc.asyncProperty(body, (raw) => expectCheap({ path: LOGIN, raw, headers: FORM }, app.guest(), [400, 422])),
    { numRuns: 25 },
  );
});

const UNDO = `/passwordBroker/api/operations/${crypto.randomUUID()}/undo`;

test.each([
  ['an unknown operation', () => UNDO, 2500 * KIB, [404]],
  ['the move of entries', () => '/passwordBroker/api/entryGroups', 2000 * KIB, [400, 404, 413, 422]],
])(
  'large lists: millions of empty elements to %s: less than 50 ms of the event loop',
  async (_name, path, size, statuses) => {
    const raw = `{"rewraps":[${'{},'.repeat(size / 3)}{}]}`;
    await expectCheap({ path: path(), raw, headers: JSON_TYPE }, ada, statuses);
  },
);

test('large lists: 50,000 elements that are all wrong: twenty problems are looked for, less than 50 ms beyond reading them', async () => {
  const operation = await renamed();
  const raw = `{"rewraps":[${`{"field_id":"${'0'.repeat(80)}"},`.repeat(49_999)}{}]}`;
  const request = { path: `/passwordBroker/api/operations/${operation}/undo`, raw, headers: JSON_TYPE };
  await expectCheap(request, ada, [422]);
  const { errors } = (await ada.request(request)).json<{ errors: object }>();
  expect(Object.keys(errors).length).toBeLessThanOrEqual(21);
});

/** An operation that Ada may take back. */
async function renamed(): Promise<string> {
  const { entryGroup } = (await ada.request({ path: '/passwordBroker/api/entryGroups', json: { name: 'Team' } })).json<{
    entryGroup: { entry_group_id: string };
  }>();
  const path = `/passwordBroker/api/entryGroups/${entryGroup.entry_group_id}`;
  const answer = await ada.request({ method: 'PUT', path, json: { name: 'Others' } });
  return String(answer.headers['x-operation-id']);
}
