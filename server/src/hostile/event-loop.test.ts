/**
 * Small hostile bodies: none blocks the event loop for more than 50 ms (T140).
 */
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as credentials from '@passwordbroker/core/contract/account/credentials';
import * as site from '@passwordbroker/core/contract/site/site';
import { startTestApp, type SignedIn, type TestApp } from '../testing/test-app.ts';
import { FORM, JSON_TYPE, expectCheap } from './testing/held-up.ts';

const KIB = 1024;
const LOGIN = '/identity/api/login';
const WHOLE = 255 * KIB;

let app: TestApp;
let ada: SignedIn;
beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
});
afterAll(() => app.stop());

const filled = (unit: (at: number) => string, size = WHOLE) => {
  let text = '';
  for (let at = 0; text.length < size; at += 1) text += unit(at);
  return text.slice(0, size);
};

const FORMS: readonly [name: string, body: string][] = [
  ['a nested sparse list of many levels', `a${'[4999]'.repeat(5000)}[k]=1`],
  ['many sparse lists', filled((at) => `a[4999][${at % 5000}][4999][k]=1&`, 26 * KIB)],
  ['1,000 names', filled((at) => `n${at}=1&`, 5 * KIB)],
  ['an unlimited number of names', filled((at) => `n${at}=1&`)],
  ['ascending indices', filled((at) => `a[${at}]=1&`, 10 * KIB)],
  ['descending indices', filled((at) => `a[${999 - at}]=1&`, 9 * KIB)],
  ['opening brackets only', '['.repeat(WHOLE)],
  ['bracket pairs only', `a${'[]'.repeat(WHOLE / 2 - 1)}`],
  ['separators only', '&'.repeat(WHOLE)],
  ['percent signs', '%41'.repeat(WHOLE / 3)],
  ['one long name', 'a'.repeat(WHOLE)],
  ['one repeated name', filled(() => 'a=1&', 3 * KIB)],
  ['names of prototype members', filled((at) => `a[__proto__][${at}]=1&`, 10 * KIB)],
];

test.each(FORMS)(
  'T140: a form of %s without a sign-in blocks the event loop for less than 50 ms',
  async (_name, raw) => {
    await expectCheap({ path: LOGIN, raw, headers: FORM }, app.guest(), [400, 422]);
  },
);

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

test.each(JSONS)('T140: JSON of %s without a sign-in blocks the event loop for less than 50 ms', async (_name, raw) => {
  await expectCheap({ path: LOGIN, raw, headers: JSON_TYPE }, app.guest(), [400, 401, 413, 422]);
});

const MULTIPART = { 'content-type': 'multipart/form-data; boundary=b' };
const inParts = (count: number, part: (at: number) => string) =>
  `${Array.from({ length: count }, (_, at) => `--b\r\nContent-Disposition: form-data; ${part(at)}\r\n`).join('')}--b--\r\n`;

const MULTIPARTS: readonly [name: string, body: string][] = [
  ['999 texts', inParts(999, (at) => `name="n${at}"\r\n\r\n1`)],
  ['999 files', inParts(999, (at) => `name="n${at}"; filename="f"\r\n\r\n1`)],
  ['encoded names', inParts(700, (at) => `name*=utf-8''${'%41'.repeat(60)}${at}\r\n\r\n1`)],
  ['deep names', inParts(900, (at) => `name="a${'[4999]'.repeat(25)}${at}"\r\n\r\n1`)],
  ['an endless part header', inParts(1, () => `name="${'a'.repeat(WHOLE - KIB)}"\r\n\r\n1`)],
  ['near matches of the boundary', inParts(1, () => `name="a"\r\n\r\n${'\r\n--'.repeat(60_000)}`)],
];

test.each(MULTIPARTS)(
  'T140: a multipart body of %s without a sign-in blocks the event loop for less than 50 ms',
  async (_name, raw) => {
    await expectCheap({ path: LOGIN, raw, headers: MULTIPART }, app.guest(), [400, 413, 422]);
  },
);

test(
  'T140: forms of any shape without a sign-in block the event loop for less than 50 ms',
  { timeout: 120_000 },
  async () => {
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
      fc.asyncProperty(
        body,
        async (raw) => void (await expectCheap({ path: LOGIN, raw, headers: FORM }, app.guest(), [400, 422])),
      ),
      { numRuns: 25 },
    );
  },
);

describe('under the policy strict', () => {
  const { path, method } = credentials.changePassword;
  /** The weakest password is found last. */
  const password = 'abcdefghijklmnopqrstuvwxyz0123456789'.repeat(2);
  const body = { current_password: 'wrong', password, password_confirmation: password };
  let bob: SignedIn;
  beforeAll(async () => {
    bob = await app.signUp('bob');
    await ada.call(site.changeSettings, { body: { password_policy: 'strict' } });
  });

  test('T140: a new password that takes long to score blocks the event loop for less than 50 ms', async () => {
    await expectCheap({ path, method, raw: JSON.stringify(body), headers: JSON_TYPE }, bob, [422]);
  });

  test('T140: of many concurrent passwords of one person two are scored, and other people are served', async () => {
    const many = Promise.all(Array.from({ length: 30 }, () => bob.request({ path, method, json: body })));
    const other = ada.request({ path, method, json: body });
    const statuses = (await many).map(({ status }) => status);
    expect([statuses.filter((status) => status === 422), statuses.filter((status) => status === 503)]).toMatchObject([
      { length: 2 },
      { length: 28 },
    ]);
    expect((await other).status).toBe(422);
    await app.signIn(bob);
  });
});
