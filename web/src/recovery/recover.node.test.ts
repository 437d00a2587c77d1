import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createHttp, type Http } from '@passwordbroker/client/transport/http';
import { exchange } from '@passwordbroker/client/transport/exchange';
import { recover, type RecoveryForm } from './recover.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const RECOVERY = 'POST /system/api/recovery';
const ME = 'GET /identity/api/me';
const file = new File(['not looked at here'], 'pb_backup_2026_03_02__03_00_00.tar.gz');
const form: RecoveryForm = { file, password: 'archive 1', setupToken: '' };

let server: Server;
/** Answers by `METHOD /path`, in order; the last one repeats. */
let script: Record<string, Answer[]>;
let pauses: number[];
let seen: { call: string; body: string }[];
let http: Http;

const json =
  (status: number, value: unknown): Answer =>
  (_, response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
const problem = (status: number, code: string, more: object = {}) =>
  json(status, { message: `told: ${code}`, code, request_id: 'r', ...more });
const whoIs = (message: 'guest' | 'firstUser') => json(200, { message, user: null, session_id: null });
const breakOff: Answer = (request) => void request.socket.destroy();

beforeEach(async () => {
  script = { 'GET /sanctum/csrf-cookie': [(_, response) => void response.writeHead(204).end()] };
  [seen, pauses] = [[], []];
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const call = `${request.method} ${request.url}`;
      seen.push({ call, body });
      const answers = script[call] ?? [];
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      (answer ?? json(404, {}))(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  http = createHttp({
    face: 'web',
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cookies: { read: () => 'XSRF-TOKEN=t', write: () => undefined },
    // Node has no XMLHttpRequest, which reports upload progress.
    exchange: (outgoing) => {
      const { onSent: _, ...plain } = outgoing;
      return exchange(plain);
    },
  });
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const run = (change: Partial<RecoveryForm> = {}) =>
  recover(
    http,
    { ...form, ...change },
    () => undefined,
    (milliseconds) => Promise.resolve(pauses.push(milliseconds)),
  );
const asked = (call: string) => seen.filter((one) => one.call === call).length;

test('sends nothing without a file', async () => {
  expect(await run({ file: null })).toMatchObject({ file: 'Please select a backup file' });
  expect(seen).toEqual([]);
});

test('sends the texts before the file, and omits empty ones', async () => {
  script[RECOVERY] = [json(200, { status: 'done' })];
  expect(await run({ setupToken: 'token 1' })).toBeNull();
  const names = [...(seen.at(-1)?.body.matchAll(/name="(\w+)"/g) ?? [])].map(([, name]) => name);
  expect(names).toEqual(['setup_token', 'password', 'backupFile']);
  expect(await run({ password: '' })).toBeNull();
  expect(seen.at(-1)?.body).not.toContain('name="password"');
});

test('assigns each error to its input', async () => {
  script[RECOVERY] = [
    problem(422, 'validation', { errors: { backupFile: ['The backup is damaged.'] } }),
    problem(422, 'validation', { errors: { password: ['The backup needs a password or the password is wrong.'] } }),
    problem(403, 'setup_token_invalid'),
  ];
  expect(await run()).toEqual({ file: 'The backup is damaged.', password: null, other: [] });
  expect(await run()).toMatchObject({ password: 'The backup needs a password or the password is wrong.' });
  expect(await run()).toEqual({ file: null, password: null, other: ['told: setup_token_invalid'] });
});

test('after a broken connection, a server with users means success', async () => {
  script[RECOVERY] = [breakOff];
  script[ME] = [problem(503, 'unavailable'), problem(503, 'unavailable'), whoIs('guest')];
  expect(await run()).toBeNull();
  expect(asked(ME)).toBe(3);
});

test('after a broken connection, a server without users means failure', async () => {
  script[RECOVERY] = [breakOff];
  script[ME] = [whoIs('firstUser')];
  expect(await run()).toMatchObject({ other: ['Something going wrong try again'] });
});

test.each([502, 504])(
  'after a proxy timeout (%i), asks the server whether the recovery is complete',
  async (status) => {
    const page: Answer = (_, response) => void response.writeHead(status).end('<h1>Gateway</h1>');
    script[RECOVERY] = [page];
    script[ME] = [page, ...Array.from({ length: 90 }, () => problem(503, 'unavailable')), whoIs('guest')];
    expect(await run()).toBeNull();
    script[ME] = [problem(503, 'unavailable'), whoIs('firstUser')];
    expect(await run()).toMatchObject({ other: ['The server is busy. Try again.'] });
  },
);

test('gives up on an unreachable or busy server eventually', async () => {
  script[RECOVERY] = [breakOff];
  script[ME] = [breakOff];
  expect(await run()).toMatchObject({ other: ['Something going wrong try again'] });
  expect(asked(ME)).toBe(30);
  [seen, pauses] = [[], []];
  script[ME] = [problem(503, 'unavailable')];
  expect(await run()).toMatchObject({ other: ['Something going wrong try again'] });
  // One hour, the timeout of the request itself.
  expect(pauses.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(59 * 60_000);
  expect(asked(ME)).toBeLessThan(300);
});

test('before sending a large file, asks whether the server would accept it', async () => {
  const large = new File(['x'.repeat(2 * 1024 * 1024)], 'pb.tar.gz');
  script[RECOVERY] = [problem(403, 'setup_token_invalid')];
  expect(await run({ file: large, setupToken: 'wrong' })).toMatchObject({ other: ['told: setup_token_invalid'] });
  expect(seen.filter(({ body }) => body.includes('backupFile'))).toEqual([]);
  script[RECOVERY] = [
    problem(422, 'validation', { errors: { backupFile: ['Please select a backup file'] } }),
    json(200, { status: 'done' }),
  ];
  expect(await run({ file: large, setupToken: 'right' })).toBeNull();
  expect(seen.filter(({ body }) => body.includes('backupFile'))).toHaveLength(1);
});

test('a file that is too large for us or a proxy: says where else it can be restored', async () => {
  const text =
    'The file is too large to be uploaded here. Restore it with the command line of the server: backup restore.';
  script[RECOVERY] = [(_, response) => void response.writeHead(413).end('<h1>Request Entity Too Large</h1>')];
  expect(await run()).toMatchObject({ file: text });
  const huge = Object.defineProperty(new File([], 'pb.tar.gz'), 'size', { value: 2 ** 31 + 1 });
  seen = [];
  expect(await run({ file: huge })).toMatchObject({ file: text });
  expect(seen).toEqual([]);
});

test('an invalid answer is a failure', async () => {
  script[RECOVERY] = [json(200, { status: 'half' })];
  expect(await run()).toMatchObject({ other: ['Something going wrong try again'] });
});
