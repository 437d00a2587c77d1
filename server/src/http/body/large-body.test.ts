/** Which bodies may be large, and for whom (docs/spec/threats.md §3.1.24). */
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertPlace } from '../../testing/test-place.ts';
import type { TestPlace } from '../../testing/test-place.ts';
import { startTestApp } from '../../testing/test-app.ts';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';
import type { TestAnswer } from '../../testing/test-client.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
const IMPORT = '/passwordBroker/api/import';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const JSON_TYPE = { 'content-type': 'application/json' };

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
let place: TestPlace;
let origin: string;
beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
  bob = await app.signUp('bob');
  place = await insertPlace(app.deps, { [ada.userId]: 'admin' });
  origin = await app.listen();
});
afterAll(() => app.stop());

const fieldsPath = () => `/passwordBroker/api/entryGroups/${place.g}/entries/${place.e}/fields`;
const codeOf = (answer: TestAnswer) => [answer.status, answer.json()['code']];
const limitOf = (answer: TestAnswer) => (answer.json()['details'] as { limit: number }).limit;

test('a large form is refused unread where only files may be large', async () => {
  const importing = await ada.request({ path: IMPORT, raw: Buffer.alloc(8 * MIB, 'a&'), headers: FORM });
  expect(codeOf(importing)).toEqual([413, 'payload_too_large']);
  expect(limitOf(importing)).toBe(256 * KIB);
  for (const headers of [FORM, JSON_TYPE]) {
    const creating = await ada.request({ path: fieldsPath(), raw: Buffer.alloc(3 * MIB, 'a&'), headers });
    expect([creating.status, limitOf(creating)]).toEqual([413, 2 * MIB]);
  }
});

test('a form of very many members is refused before it is parsed', async () => {
  const before = process.cpuUsage();
  const answer = await ada.request({ path: fieldsPath(), raw: Buffer.alloc(2 * MIB, 'a&'), headers: FORM });
  expect(codeOf(answer)).toEqual([400, 'bad_request']);
  // CPU time in microseconds, which other programs do not affect.
  const { user, system } = process.cpuUsage(before);
  expect(user + system).toBeLessThan(300_000);
});

test('texts of a multipart body do not count as files', async () => {
  for (const path of [IMPORT, fieldsPath()]) {
    const multipart = new FormData();
    for (let n = 0; n < 3; n += 1) multipart.append('title', 'x'.repeat(MIB));
    expect(codeOf(await ada.request({ path, multipart }))).toEqual([413, 'payload_too_large']);
  }
});

const jsonPart = (json: string, name = 'batch') =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\nContent-Type: application/json\r\n\r\n${json}\r\n--b--\r\n`;
const MULTIPART = { 'content-type': 'multipart/form-data; boundary=b' };

test('a large import batch is parsed outside the event loop, also as a part without a file name', async () => {
  const members = `{"name":"x","groups":[${'{"a":1},'.repeat(400_000)}{}],"entries":[],"fields":[],"skipped":[]}`;
  const raw = jsonPart(members);
  const longest = await longestPause(async () => {
    const answer = await ada.request({ path: IMPORT, raw, headers: MULTIPART });
    // A batch with so many tiny elements is refused before parsing.
    expect(codeOf(answer)).toEqual([400, 'bad_request']);
  });
  expect(longest).toBeLessThan(400);
});

test('an unexpected JSON part is refused', async () => {
  const answer = await ada.request({ path: fieldsPath(), raw: jsonPart('{"a":1}', 'title'), headers: MULTIPART });
  expect(codeOf(answer)).toEqual([400, 'bad_request']);
});

/** Sends the start of a large body and waits for the status. */
function announce(path: string, headers: Readonly<Record<string, string>>): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${origin}${path}`, {
      method: 'POST',
      headers: { ...MULTIPART, 'content-length': String(10 * MIB), ...headers },
    });
    request.on('error', reject);
    request.on('response', (response) => {
      resolve(response.statusCode ?? 0);
      request.destroy();
    });
    request.write('--b\r\n');
  });
}

test('missing access is reported before a large body is read', async () => {
  const signedIn = (person: SignedIn, token = person.cookies.get('XSRF-TOKEN') ?? '') => ({
    cookie: [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    'x-xsrf-token': token,
  });
  expect(await announce(fieldsPath(), {})).toBe(401);
  expect(await announce(fieldsPath(), signedIn(ada, 'x'))).toBe(419);
  expect(await announce(fieldsPath(), signedIn(bob))).toBe(403);
  expect(await announce(fieldsPath().replace(place.e, place.f), signedIn(ada))).toBe(404);
});

/** Longest blocked time of the event loop during the work, in milliseconds. */
async function longestPause(work: () => Promise<void>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }, 5);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return longest;
}
