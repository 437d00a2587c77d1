/** The server process: wrong configuration, a folder in use, SIGTERM and SIGKILL. */
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { buildServer } from '../testing/built-server.ts';
import type { BuiltServer } from '../testing/built-server.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

let built: BuiltServer;
beforeAll(async () => {
  built = await buildServer();
});
afterAll(() => built.remove());

let dataDir: string;
const running: ChildProcess[] = [];
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'passwordbroker-main-'));
});
afterEach(async () => {
  for (const child of running.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  }
  rmSync(dataDir, { recursive: true, force: true });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

function start(environment: Record<string, string>, options: readonly string[] = []) {
  const child = spawn(process.execPath, [...options, built.main], {
    env: { PATH: process.env['PATH'], DATA_DIR: dataDir, ...environment },
  });
  running.push(child);
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  child.stdout.resume();
  const exited = once(child, 'exit').then(([code]) => ({ code: code as number | null, stderr }));
  return { child, exited, stderr: () => stderr };
}

test('https without TRUST_PROXY is refused with a sentence that says what to set (T143)', async () => {
  const PUBLIC_URL = 'https://vault.example.org';
  const { exited } = start({ PUBLIC_URL });
  const { code, stderr } = await exited;
  expect(code).toBe(1);
  expect(stderr).toContain(
    '  - TRUST_PROXY must be set with an https PUBLIC_URL: to the addresses of the proxy in front (loopback, uniquelocal, 10.0.0.7), ' +
      'or to none if the proxy does not name its callers. Otherwise everybody shares one limit on failed sign-ins.',
  );
  expect(readdirSync(dataDir)).toEqual([]);
  for (const TRUST_PROXY of ['none', 'loopback']) {
    const port = await freePort();
    const { child, exited: stopped } = start({ PUBLIC_URL, TRUST_PROXY, PORT: String(port) });
    await untilReady(`http://127.0.0.1:${port}`);
    child.kill('SIGTERM');
    expect((await stopped).code).toBe(0);
  }
});

/** Sends a first sign-up with this Host header. */
async function signUpAt(port: number, host: string, more: object = {}): Promise<{ status: number; text: string }> {
  const send = async (path: string, headers: Record<string, string>, body: string | null) => {
    const request = httpRequest({ host: '127.0.0.1', port, path, method: body === null ? 'GET' : 'POST', headers });
    request.end(body ?? undefined);
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    const cookies = (answer.headers['set-cookie'] ?? []).map((line) => line.split(';')[0] ?? '');
    return { status: answer.statusCode ?? 0, text: await text(answer), cookies };
  };
  const guest = await send('/sanctum/csrf-cookie', { host: `localhost:${port}` }, null);
  const token = guest.cookies.find((cookie) => cookie.startsWith('XSRF-TOKEN='))?.slice('XSRF-TOKEN='.length) ?? '';
  const passwords = { password: 'p', password_confirmation: 'p' };
  const masterPasswords = { master_password: 'm', master_password_confirmation: 'm' };
  const user = { username: 'ada', email: 'ada@example.org', ...passwords, ...masterPasswords };
  const headers = {
    host,
    origin: `http://${host}`,
    cookie: guest.cookies.join('; '),
    'x-xsrf-token': token,
    'content-type': 'application/json',
  };
  return send('/identity/api/registration', headers, JSON.stringify({ user, ...more }));
}

test('the first sign-up is refused under a foreign host name: DNS rebinding (T154)', async () => {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const { exited: _ } = start({ PORT: String(port), PUBLIC_URL: 'http://vault.example.org' });
  await untilReady(origin);
  for (const host of ['evil.example', `evil.example:${port}`, '127.evil.example', 'localhost.evil.example']) {
    const { status, text: answer } = await signUpAt(port, host);
    expect([host, status]).toEqual([host, 403]);
    expect(JSON.parse(answer)).toMatchObject({
      code: 'forbidden',
      message:
        'This server has no users yet. Open it at http://vault.example.org to sign up. ' +
        'If that is not its address, set PUBLIC_URL and restart it.',
    });
  }
  for (const path of ['/', '/system/api/setup', '/sanctum/csrf-cookie']) {
    const request = httpRequest({ host: '127.0.0.1', port, path, headers: { host: 'evil.example' } });
    request.end();
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    answer.resume();
    expect([path, answer.statusCode]).toEqual([path, 403]);
  }
  expect((await signUpAt(port, 'vault.example.org')).status).toBe(201);
  // After the first sign-up any host name is accepted.
  expect((await signUpAt(port, 'evil.example')).status).toBe(401);
});

test('on an address other than loopback a setup token is created, printed once, and required (T154)', async () => {
  const port = await freePort();
  const environment = { PORT: String(port), HOST: '0.0.0.0' };
  const begin = async () => {
    const server = start(environment);
    await untilReady(`http://127.0.0.1:${port}`);
    const end = async () => {
      server.child.kill('SIGTERM');
      return (await server.exited).stderr;
    };
    const printed = [...server.stderr().matchAll(/^Nobody has signed up yet\. Setup token .*: (\S+)$/gm)];
    return { end, tokens: printed.map(([, token]) => token) };
  };
  const first = await begin();
  expect(first.tokens).toHaveLength(1);
  expect(await (await fetch(`http://127.0.0.1:${port}/system/api/setup`)).json()).toMatchObject({
    setup_token_required: true,
  });
  for (const more of [{}, { setup_token: 'guessed' }]) {
    const refused = await signUpAt(port, `localhost:${port}`, more);
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('setup_token_invalid')]);
  }
  await first.end();

  const second = await begin();
  expect(second.tokens).toHaveLength(1);
  expect((await signUpAt(port, `localhost:${port}`, { setup_token: first.tokens[0] })).status).toBe(403);
  expect((await signUpAt(port, `localhost:${port}`, { setup_token: second.tokens[0] })).status).toBe(201);
  await second.end();

  const third = await begin();
  expect(third.tokens).toEqual([]);
  await third.end();
});

async function untilReady(origin: string): Promise<void> {
  for (let n = 0; n < 200; n += 1) {
    const answer = await fetch(`${origin}/ready`).catch(() => null);
    if (answer?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('The server does not get ready');
}

/** A request whose head the server has read. The returned function sends the body and returns the status. */
async function beginPost(url: string, headers: Record<string, string>, body: string): Promise<() => Promise<number>> {
  const request = httpRequest(url, {
    method: 'POST',
    headers: { ...headers, 'content-length': Buffer.byteLength(body), expect: '100-continue' },
  });
  const answered = new Promise<number>((resolve, reject) => {
    request.once('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.once('error', reject);
  });
  request.flushHeaders();
  await Promise.race([once(request, 'continue'), answered]);
  return () => {
    request.end(body);
    return answered;
  };
}

test('all problems of the configuration are reported, and the exit code is 1', async () => {
  const { code, stderr } = await start({ PORT: 'x', LOG_LEVEL: 'loud' }).exited;
  expect(code).toBe(1);
  expect(stderr).toContain('PORT must be a number between 0 and 65535.');
  expect(stderr).toContain('LOG_LEVEL must be one of');
});

/** Runs before the program, by `--import`. */
const script = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`;

/** Makes the process report another version of Node. */
const asNode = (version: string) => [
  '--import',
  script(`Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`),
];

test.each(['18.20.8', '20.18.3', '21.7.3', '22.11.0', '23.11.1', '25.2.1', '27.0.0'])(
  'T159: the server and npm start refuse Node %s in one sentence',
  async (version) => {
    const sentence = `PasswordBroker runs on Node 20.19 or newer, 22.12 or newer, 24, 26 and later even versions; this is Node ${version}.\n`;
    expect(await start({}, asNode(version)).exited).toEqual({ code: 1, stderr: sentence });
    const begun = spawnSync(process.execPath, [...asNode(version), 'scripts/start.mjs'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    expect([begun.status, begun.stderr]).toEqual([1, sentence]);
    expect(readdirSync(dataDir)).toEqual([]);
  },
);

test.each(['20.19.0', '22.12.0', '24.0.0', '26.10.0', '28.0.0'])('T159: Node %s is accepted', async (version) => {
  const { stderr } = await start({ PORT: 'x' }, asNode(version)).exited;
  expect(stderr).toContain('PORT must be a number');
});

test('a data folder below a file is reported in one sentence', async () => {
  const file = join(dataDir, 'file');
  writeFileSync(file, '');
  const { code, stderr } = await start({ DATA_DIR: join(file, 'data'), PORT: String(await freePort()) }).exited;
  expect(code).toBe(1);
  expect(stderr).toBe(
    `The data folder ${join(file, 'data')} cannot be written (ENOTDIR): it has to be a folder of this account.\n`,
  );
});

test('a data folder with other files is reported in one sentence and stays unchanged', async () => {
  writeFileSync(join(dataDir, 'letter'), '');
  chmodSync(dataDir, 0o755);
  const { code, stderr } = await start({ PORT: String(await freePort()) }).exited;
  expect(code).toBe(1);
  expect(stderr).toBe(
    `DATA_DIR names ${dataDir}, which cannot be made private: other things lie there ("letter"). Name a folder that does not exist yet, or an empty one of this account.\n`,
  );
  expect([statSync(dataDir).mode & 0o777, readdirSync(dataDir)]).toEqual([0o755, ['letter']]);
});

/** As if the package were installed for another platform. */
const WITHOUT_ARGON2 = script(`
  import { register } from 'node:module';
  register(${JSON.stringify(
    script(`export function resolve(name, context, next) {
      if (name === '@node-rs/argon2') throw new Error('no such package');
      return next(name, context);
    }`),
  )});`);

test('without the key derivation library the process runs and is not ready', async () => {
  const port = await freePort();
  start({ PORT: String(port) }, ['--import', WITHOUT_ARGON2]);
  const ready = () => fetch(`http://127.0.0.1:${port}/ready`).catch(() => null);
  await expect.poll(async () => (await ready())?.status, { timeout: 20_000 }).toBe(503);
  expect(await (await ready())?.json()).toEqual({
    status: 'not_ready',
    checks: { database: 'ok', migrations: 'ok', storage: 'ok', key_derivation: 'failed' },
  });
  expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
});

test('files of a former process are removed; files created after the start stay', async () => {
  const upload = (name: string) => {
    const path = join(dataDir, 'uploads', name);
    mkdirSync(path, { recursive: true });
    return path;
  };
  const former = upload('former');
  const port = await freePort();
  const { child, exited } = start({ PORT: String(port) });
  await untilReady(`http://127.0.0.1:${port}`);
  const own = upload('own');
  await expect.poll(() => existsSync(former), { timeout: 5000 }).toBe(false);
  child.kill('SIGTERM');
  expect((await exited).code).toBe(0);
  expect(existsSync(own)).toBe(true);
});

test('SIGKILL loses no acknowledged write, SIGTERM exits with 0, and a folder in use is reported', async () => {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const environment = { PORT: String(port), SERVER_CRYPTO: 'allowed' };
  const first = start(environment);
  await untilReady(origin);
  const csrf = await fetch(`${origin}/sanctum/csrf-cookie`);
  const cookie = csrf.headers
    .getSetCookie()
    .map((text) => text.split(';')[0])
    .join('; ');
  const user = {
    username: 'ada',
    email: 'ada@example.org',
    password: 'p',
    password_confirmation: 'p',
    master_password: 'm',
    master_password_confirmation: 'm',
  };
  const token = /XSRF-TOKEN=([^;]+)/.exec(cookie)?.[1] ?? '';
  const registered = await fetch(`${origin}/identity/api/registration`, {
    method: 'POST',
    headers: { cookie, 'x-xsrf-token': token, 'content-type': 'application/json' },
    body: JSON.stringify({ user }),
  });
  expect(registered.status).toBe(201);
  const session = registered.headers
    .getSetCookie()
    .map((text) => text.split(';')[0])
    .join('; ');

  const second = start({ PORT: String(await freePort()) });
  const refused = await second.exited;
  expect([refused.code, refused.stderr]).toEqual([1, `Another process is using the data folder ${dataDir}.\n`]);

  first.child.kill('SIGKILL');
  await first.exited;
  const again = start(environment);
  await untilReady(origin);
  const me = (await (await fetch(`${origin}/identity/api/me`, { headers: { cookie: session } })).json()) as object;
  expect(me).toMatchObject({ message: 'loggedIn', user: { name: 'ada' } });

  // Requests that are running at the signal are answered.
  const body = JSON.stringify({ email: 'ada@example.org', password: 'wrong' });
  const headers = { cookie, 'x-xsrf-token': token, 'content-type': 'application/json' };
  const begun = await Promise.all(
    Array.from({ length: 6 }, () => beginPost(`${origin}/identity/api/login`, headers, body)),
  );
  again.child.kill('SIGTERM');
  expect(await Promise.all(begun.map((finish) => finish()))).toEqual(Array.from({ length: 6 }, () => 401));
  expect((await again.exited).code).toBe(0);
});
