import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startTestApp } from '../testing/test-app.ts';
import { createLog } from './log.ts';

test('unlisted members and messages of errors are not logged', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  log.info({ status: 200, password: 'canary', body: { value: 'canary' } }, 'request');
  log.error({ error: Object.assign(new SyntaxError('canary is not JSON'), { code: 'X' }) }, 'failed');
  log.error({ error: new Error('a', { cause: new TypeError('canary') }) }, 'failed');
  expect(lines.join('')).not.toContain('canary');
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'info', status: 200, msg: 'request' });
  expect(JSON.parse(lines[1] ?? '')).toMatchObject({ error: { name: 'SyntaxError', code: 'X' } });
});

/** All encodings in which a secret could be stored. */
const spellings = (secret: string) => [
  secret,
  encodeURIComponent(secret),
  Buffer.from(secret).toString('base64').replace(/=+$/, '').slice(0, -1),
  Buffer.from(secret).toString('hex'),
];

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

test('no secret appears in logs or in the data folder, whatever the outcome of the request (T67)', async () => {
  const app = await startTestApp({ environment: { LOG_LEVEL: 'trace' } });
  const secrets = ['CANARY-password-Ä1', 'CANARY-master-Ä2', 'CANARY-wrong-Ä3', 'CANARY-cut-Ä4', 'CANARY-query-5'];
  const [password, master_password, wrong, cut, query] = secrets;
  const user = {
    username: 'ada',
    email: 'ada@example.org',
    password,
    password_confirmation: password,
    master_password,
    master_password_confirmation: master_password,
  };
  const client = app.guest();
  expect((await client.request({ path: '/identity/api/registration', json: { user } })).status).toBe(201);
  const cookie = client.cookies.get('pb_session') ?? '';
  await client.request({ path: '/identity/api/login', json: { email: 'ada@example.org', password: wrong } });
  await client.request({ path: '/identity/api/login', json: { email: 'ada@example.org', password } });
  await client.request({
    path: '/identity/api/login',
    raw: `{"password":"${cut}`,
    headers: { 'content-type': 'application/json' },
  });
  await client.request({ path: `/identity/api/me?password=${query}` });
  await client.request({ path: `/elsewhere/${query}?q=${query}` });
  const newest = client.cookies.get('pb_session') ?? '';
  const all = [...secrets, cookie.slice(2), newest.slice(2)].flatMap(spellings);
  const log = app.log.join('');
  expect(log).toContain('/identity/api/login');
  expect(all.filter((text) => log.includes(text))).toEqual([]);
  for (const file of filesBelow(app.dataDir)) {
    const bytes = readFileSync(file);
    expect([file, all.filter((text) => bytes.includes(text))]).toEqual([file, []]);
  }
  await app.stop();
});

test('line breaks and escapes in input stay within one log line (T66)', async () => {
  const app = await startTestApp();
  const hostile = 'a\r\n{"level":"fatal"}\u001b[31m';
  const answer = await app.guest().request({
    path: '/identity/api/login',
    json: { email: hostile, password: 'x' },
    headers: { 'user-agent': 'x\u001b[31m' },
  });
  expect(answer.status).toBe(401);
  const ada = await app.signUp('ada');
  const places = [
    '/passwordBroker/api/entryGroups',
    `/passwordBroker/api/entrySearch?q=${encodeURIComponent(hostile)}`,
  ];
  await ada.request({ path: places[0] ?? '', json: { name: hostile } });
  await ada.request({ path: places[1] ?? '' });
  expect(app.log.filter((line) => places.some((path) => line.includes(path.split('?')[0] ?? '')))).toHaveLength(2);
  for (const line of app.log) {
    for (const character of ['\n', '\r', '\u001b']) expect(line.trimEnd()).not.toContain(character);
    expect(JSON.parse(line)).toBeTypeOf('object');
  }
  await app.stop();
});
