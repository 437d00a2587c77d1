import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp } from '../../testing/test-app.ts';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';
import type { TestAnswer } from '../../testing/test-client.ts';

let app: TestApp;
let ada: SignedIn;
beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
});
afterAll(() => app.stop());

const LOGIN = '/identity/api/login';
const email = 'nobody@example.org';
const password = 'pä ss+%&=';
const codeOf = (answer: TestAnswer) => [answer.status, answer.json()['code']];
const post = (type: string, raw: string | Buffer, path = LOGIN) =>
  app.guest().request({ path, raw, headers: type === '' ? {} : { 'content-type': type } });

test('JSON, urlencoded and multipart bodies are equivalent', async () => {
  const multipart = new FormData();
  multipart.set('email', ada.email);
  multipart.set('password', ada.password);
  const credentials = { email: ada.email, password: ada.password };
  for (const request of [{ json: credentials }, { form: credentials }, { multipart }]) {
    expect((await app.guest().request({ path: LOGIN, ...request })).status).toBe(200);
  }
});

test('forms can nest members', async () => {
  const form = 'user[username]=&user[email]=x&user%5Bpassword%5D=a+b&user[password_confirmation]=c';
  const answer = await ada.request({ path: '/identity/api/registration', form });
  expect(answer.json()['errors']).toMatchObject({
    'user.name': ['User Name is empty'],
    'user.master_password': [expect.any(String)],
  });
  const multipart = new FormData();
  multipart.set('user[username]', 'x');
  multipart.set('user[email]', 'not an address');
  multipart.set('user[password]', 'a');
  multipart.set('user[password_confirmation]', 'b');
  multipart.set('user[master_password]', 'c');
  multipart.set('user[master_password_confirmation]', 'c');
  expect((await ada.request({ path: '/identity/api/registration', multipart })).json()['errors']).toEqual({
    'user.email': ['Incorrect email'],
    'user.password_confirmation': ['Password Confirmation mismatch to Password'],
  });
});

test.each([
  ['application/json', 415, ''],
  ['no type', 415, ''],
  ['text/plain', 415, 'text/plain'],
  ['application/xml', 415, 'application/xml'],
  ['a tab in the type', 415, 'application/json\t;x'],
  ['another charset', 415, 'application/json; charset=utf-16'],
])('content type: %s (T49)', async (name, status, type) => {
  const answer = await post(name === 'application/json' ? '' : type, JSON.stringify({ email, password }));
  expect([415, 400]).toContain(answer.status);
  expect(answer.status).toBe(status);
});

test.each(['application/json;charset=UTF-8', 'Application/JSON', 'application/json ; charset="utf-8"'])(
  'the schema applies to %s (T49)',
  async (type) => {
    expect(codeOf(await post(type, '{}'))).toEqual([422, 'validation']);
    expect(codeOf(await post(type, JSON.stringify({ email, password })))).toEqual([401, 'invalid_credentials']);
  },
);

test.each([
  ['JSON cut short', 'application/json', '{"email":'],
  ['JSON list', 'application/json', '[]'],
  ['JSON text', 'application/json', '"x"'],
  ['JSON null', 'application/json', 'null'],
  ['not UTF-8', 'application/json', Buffer.from([0x7b, 0xff, 0x7d])],
  ['broken percent encoding', 'application/x-www-form-urlencoded', 'email=%zz'],
  ['broken UTF-8 in a form', 'application/x-www-form-urlencoded', 'email=%ff'],
  ['a too deep form', 'application/x-www-form-urlencoded', `a${'[b]'.repeat(40)}=1`],
  ['too deep JSON', 'application/json', `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`],
  ['absurdly deep JSON', 'application/json', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ['no boundary', 'multipart/form-data', 'x'],
  [
    'truncated multipart',
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-data; name="email"\r\n\r\nx',
  ],
])('malformed: %s', async (_name, type, raw) => {
  expect(codeOf(await post(type, raw))).toEqual([400, 'bad_request']);
});

const HOSTILE = ['__proto__', 'constructor', 'prototype'];

test.each(HOSTILE)('the member %s is refused at any depth, in every kind of body (T50)', async (name) => {
  const multipart = new FormData();
  multipart.set(`user[${name}][is_admin]`, '1');
  const part = new FormData();
  part.set(name, '1');
  const bodies = [
    { raw: `{"${name}":{"is_admin":true}}`, headers: { 'content-type': 'application/json' } },
    { raw: `{"user":{"a":[{"${name}":1}]}}`, headers: { 'content-type': 'application/json' } },
    {
      raw: '{"user":{"\\u005f_proto__":1,"\\u0063onstructor":1,"\\u0070rototype":1}}',
      headers: { 'content-type': 'application/json' },
    },
    { form: `user[${name}][is_admin]=1` },
    { form: `${name}=1` },
    { form: `a[b][${name}]=1` },
    { multipart },
    { multipart: part },
  ];
  for (const body of bodies) {
    expect(codeOf(await ada.request({ path: '/identity/api/registration', ...body }))).toEqual([400, 'bad_request']);
  }
  expect(Object.hasOwn(Object.prototype, 'is_admin')).toBe(false);
});

test.each([
  [
    'a number for a text',
    { email: 5, password: [] },
    { email: ['The email must be a text.'], password: ['The password must be a text.'] },
  ],
  ['null is absent', { email: null, password: null }, { email: [expect.any(String)], password: [expect.any(String)] }],
  ['NUL', { email: 'a\0b', password: 'x' }, { email: ['The email is malformed.'] }],
  [
    'too long',
    { email: 'x'.repeat(300), password: 'x' },
    { email: ['The email is too long (at most 254 characters).'] },
  ],
])('wrong members: %s (T51)', async (_name, json, errors) => {
  const answer = await app.guest().request({ path: LOGIN, json });
  expect(codeOf(answer)).toEqual([422, 'validation']);
  expect(answer.json()['errors']).toEqual(errors);
});

test('a body over the limit gets a 413, with or without a Content-Length (T52)', async () => {
  const large = JSON.stringify({ email, password: 'x'.repeat(256 * 1024) });
  const answer = await post('application/json', large);
  expect(codeOf(answer)).toEqual([413, 'payload_too_large']);
  expect(answer.json()['details']).toEqual({ limit: 256 * 1024 });
  const multipart = new FormData();
  multipart.set('email', large);
  expect((await app.guest().request({ path: LOGIN, multipart })).status).toBe(413);
  const origin = await app.listen();
  const stream = new ReadableStream({
    start(controller) {
      controller.enqueue(Buffer.from(large));
      controller.close();
    },
  });
  const options = { method: 'POST', body: stream, duplex: 'half', headers: { 'content-type': 'application/json' } };
  expect((await fetch(`${origin}${LOGIN}`, options as RequestInit)).status).toBe(413);
});

test('multipart with 1001 parts is refused (T53)', async () => {
  const multipart = new FormData();
  for (let n = 0; n < 1001; n += 1) multipart.append(`a${n}`, '1');
  expect((await app.guest().request({ path: LOGIN, multipart })).status).toBe(413);
});

test('a form with very many members is refused before parsing', async () => {
  const started = performance.now();
  expect((await post('application/x-www-form-urlencoded', 'a&'.repeat(120_000))).status).toBe(400);
  expect(performance.now() - started).toBeLessThan(2000);
});

test('a guest cannot fill the memory', async () => {
  const path = '/passwordBroker/api/import';
  const answer = await app
    .guest()
    .request({ path, raw: Buffer.alloc(1024 * 1024), headers: { 'content-type': 'application/json' } });
  expect(codeOf(answer)).toEqual([401, 'unauthenticated']);
});

test('_method works only in the body of a POST (T39)', async () => {
  const path = '/identity/api/logout';
  const overridden = await ada.request({ path, json: { _method: 'DELETE' } });
  expect(codeOf(overridden)).toEqual([405, 'method_not_allowed']);
  const form = await ada.request({ path, form: { _method: 'put' } });
  expect(form.status).toBe(405);
  // Other values and places have no effect.
  const elsewhere = { 'x-http-method-override': 'DELETE' };
  expect((await ada.request({ path: '/identity/api/me?_method=delete', headers: elsewhere })).status).toBe(200);
  for (const _method of ['get', 'toString', '__proto__', 'valueOf', 'x', '']) {
    expect((await ada.request({ method: 'POST', path, json: { _method } })).status).toBe(200);
  }
});

test('a secret in a query is refused, and its URL is not logged (T75)', async () => {
  for (const query of [
    'password=canary',
    'master_password=canary',
    'a=1&value=canary',
    'user[password]=canary',
    'PASSWORD=canary',
  ]) {
    const answer = await app.guest().request({ path: `/identity/api/me?${query}` });
    expect(codeOf(answer)).toEqual([400, 'bad_request']);
    expect((await app.guest().request({ path: `/anything?${query}` })).status).toBe(400);
  }
  expect(app.log.join('\n')).not.toContain('canary');
});

test.each(['application/json', 'multipart/form-data; boundary=b', 'text/plain'])(
  'a body is ignored where the method has none: %s',
  async (type) => {
    const path = '/identity/api/me';
    const request = { raw: '{"a":1}', headers: { 'content-type': type } };
    expect((await app.guest().request({ method: 'GET', path, ...request })).status).toBe(200);
    expect((await app.guest().request({ method: 'HEAD', path: '/health', ...request })).status).toBe(200);
    expect((await app.guest().request({ method: 'TRACE', path, ...request })).status).toBe(405);
  },
);

test('a compressed body is refused', async () => {
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  expect((await app.guest().request({ path: LOGIN, raw: 'x', headers })).status).toBe(415);
});
