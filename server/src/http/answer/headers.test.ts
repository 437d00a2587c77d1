import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp } from '../../testing/test-app.ts';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';

const IMPORT_MAP = '{"integrity":{"/assets/main-abc123.js":"sha384-x"}}';
const CSP =
  "default-src 'none'; script-src 'self' 'sha256-ZG3voeytlGQBp452SrOYWw3D2vJlpZeKKq2NlZO+Wr4='; style-src 'self' 'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o='; img-src 'self' data:; font-src 'self'; connect-src 'self'; worker-src 'self'; " +
  "manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types pb-worker";
const EVERYWHERE = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'x-dns-prefetch-control': 'off',
};
const SCRIPT = 'console.log("script")'.repeat(20);

let app: TestApp;
let ada: SignedIn;
let webDir: string;
beforeAll(async () => {
  webDir = mkdtempSync(join(tmpdir(), 'passwordbroker-web-'));
  mkdirSync(join(webDir, 'assets'));
  writeFileSync(
    join(webDir, 'index.html'),
    `<!doctype html><title>client</title><script type="importmap">${IMPORT_MAP}</script>`,
  );
  writeFileSync(join(webDir, 'assets', 'main-abc123.js'), SCRIPT);
  writeFileSync(join(webDir, 'assets', 'main-abc123.js.br'), brotliCompressSync(SCRIPT));
  writeFileSync(join(webDir, 'assets', 'main-abc123.js.gz'), gzipSync(SCRIPT));
  for (const name of ['kdf', 'keyring', 'seal', 'strength'])
    writeFileSync(join(webDir, 'assets', `${name}-worker-def456.js`), 'onmessage = () => {};');
  writeFileSync(join(webDir, 'service-worker.js'), 'onfetch = () => {};');
  writeFileSync(join(webDir, 'manifest.webmanifest'), '{"name":"client"}');
  app = await startTestApp({ webDir });
  ada = await app.signUp('ada');
});
afterAll(async () => {
  await app.stop();
  rmSync(webDir, { recursive: true });
});

test.each([
  ['200', 'GET', '/identity/api/me', 200],
  ['204', 'GET', '/sanctum/csrf-cookie', 204],
  ['400', 'GET', '/identity/api/me?password=x', 400],
  ['400 by the router', 'GET', '/identity/api/%zz', 400],
  ['401', 'GET', '/identity/api/keyBundle', 401],
  ['404', 'GET', '/identity/api/nothing', 404],
  ['404 for another verb', 'POST', '/nothing', 404],
  ['405', 'DELETE', '/identity/api/me', 405],
  ['405 for OPTIONS', 'OPTIONS', '/identity/api/me', 405],
  ['405 for TRACE', 'TRACE', '/identity/api/me', 405],
  ['405 for an unknown verb', 'PROPFIND', '/identity/api/me', 405],
  ['HEAD', 'HEAD', '/health', 200],
  ['419', 'POST', '/identity/api/logout', 419],
  ['a page', 'GET', '/entryGroup/1', 200],
  ['HEAD of a page', 'HEAD', '/', 200],
  ['a script', 'GET', '/assets/main-abc123.js', 200],
])('every response has the security headers: %s (T63)', async (_name, method, path, status) => {
  const answer = await app.guest().request({ method, path, withoutCsrf: true });
  expect(answer.status).toBe(status);
  expect(answer.headers).toMatchObject({ ...EVERYWHERE, 'content-security-policy': CSP });
  expect(answer.headers['permissions-policy']).toContain('camera=(self), clipboard-write=(self)');
  expect(answer.headers['permissions-policy']).toContain('geolocation=()');
  expect(answer.headers['strict-transport-security']).toBeUndefined();
  expect(answer.headers['x-powered-by']).toBeUndefined();
});

test('bytes that are not HTTP get a 400 with the security headers (T63, T69)', async () => {
  const { port } = new URL(await app.listen());
  const text = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1', () => socket.write('GARBAGE\r\n\r\n'));
    let all = '';
    socket.on('data', (chunk) => (all += chunk.toString()));
    socket.on('end', () => resolve(all));
    socket.on('error', reject);
  });
  expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(text).toContain(`content-security-policy: ${CSP}`);
});

test('the page runs only scripts whose digest it names; workers and API responses have no such policy (W1)', async () => {
  const policyOf = async (path: string) => (await app.guest().request({ path })).headers['integrity-policy'];
  expect(await policyOf('/entryGroup/1')).toBe('blocked-destinations=(script)');
  for (const path of [
    '/assets/main-abc123.js',
    '/assets/kdf-worker-def456.js',
    '/service-worker.js',
    '/identity/api/me',
  ]) {
    expect(await policyOf(path)).toBeUndefined();
  }
});

test('https adds HSTS, and listed origins extend only connect-src', async () => {
  const environment = {
    PUBLIC_URL: 'https://vault.example.org',
    TRUST_PROXY: 'none',
    CONNECT_ORIGINS: 'https://a.example https://b.example',
  };
  const secure = await startTestApp({ environment, webDir });
  const answer = await secure.guest().request({ path: '/identity/api/me' });
  expect(answer.headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
  expect(answer.headers['content-security-policy']).toBe(
    CSP.replace("connect-src 'self'", "connect-src 'self' https://a.example https://b.example"),
  );
  await secure.stop();
});

test('responses of the API are not cached (T72)', async () => {
  for (const path of ['/identity/api/me', '/system/api/setup', '/identity/api/keyBundle', '/identity/api/nothing']) {
    for (const caller of [app.guest(), ada]) {
      const { headers } = await caller.request({ path });
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['etag']).toBeUndefined();
      expect(headers['last-modified']).toBeUndefined();
    }
  }
});

test('the page is revalidated each time, hashed files are cached forever', async () => {
  const page = await app.guest().request({ path: '/entrySearch/x?y=z' });
  expect([page.headers['cache-control'], page.headers['content-type']]).toEqual([
    'no-cache',
    'text/html; charset=utf-8',
  ]);
  expect(page.text).toContain('<title>client</title>');
  const etag = String(page.headers['etag']);
  const again = await app.guest().request({ path: '/', headers: { 'if-none-match': etag } });
  expect([again.status, again.text]).toEqual([304, '']);
  const script = await app.guest().request({ path: '/assets/main-abc123.js' });
  expect(script.headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-type': 'text/javascript; charset=utf-8',
    vary: 'Accept-Encoding',
  });
  expect(script.text).toBe(SCRIPT);
  expect((await app.guest().request({ path: '/assets/main-older.js' })).status).toBe(404);
});

test.each([
  ['gzip, deflate, br', 'br'],
  ['gzip', 'gzip'],
  ['identity', undefined],
  ['gzip, br;q=0', 'gzip'],
  ['br; q=0.0', undefined],
])('Accept-Encoding %s gives %s', async (accepted, encoding) => {
  const answer = await app
    .guest()
    .request({ path: '/assets/main-abc123.js', headers: { 'accept-encoding': accepted } });
  expect(answer.headers['content-encoding']).toBe(encoding);
  expect(answer.headers['content-length']).toBe(String(answer.bytes.length));
});

test('the key derivation worker has its own policy (W3)', async () => {
  const { headers } = await app.guest().request({ path: '/assets/kdf-worker-def456.js' });
  expect(headers['content-security-policy']).toBe("default-src 'none'; script-src 'self' 'wasm-unsafe-eval'");
  expect(headers).toMatchObject(EVERYWHERE);
});

test.each([
  [
    'keyring',
    "default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'none'; require-trusted-types-for 'script'; trusted-types pb-worker",
  ],
  [
    'strength',
    "default-src 'none'; script-src 'self'; connect-src 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  ],
])('F6c the %s worker receives secrets and may not connect anywhere (W3, M58)', async (name, policy) => {
  const { headers } = await app.guest().request({ path: `/assets/${name}-worker-def456.js` });
  expect(headers).toMatchObject({ ...EVERYWHERE, 'content-security-policy': policy });
});

test('the service worker is revalidated each time and may connect only to its own origin; the client has a web manifest', async () => {
  const worker = await app.guest().request({ path: '/service-worker.js' });
  expect(worker.headers).toMatchObject({
    ...EVERYWHERE,
    'cache-control': 'no-cache',
    'content-type': 'text/javascript; charset=utf-8',
    'content-security-policy':
      "default-src 'none'; connect-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'",
  });
  // The default scope is the whole site.
  expect(worker.headers['service-worker-allowed']).toBeUndefined();
  const manifest = await app.guest().request({ path: '/manifest.webmanifest' });
  expect(manifest.headers).toMatchObject({
    'cache-control': 'no-cache',
    'content-type': 'application/manifest+json',
  });
});

test('no path escapes the client folder or bypasses authentication (T70)', async () => {
  for (const path of [
    '/../package.json',
    '/%2e%2e/package.json',
    '/assets/..%2f..%2fpackage.json',
    '//identity/api/keyBundle',
  ]) {
    const answer = await app.guest().request({ path });
    expect([path, answer.text.includes('<title>client</title>') || answer.status >= 400]).toEqual([path, true]);
  }
  expect((await app.guest().request({ path: '/identity/api/keyBundle/' })).status).toBe(401);
  expect((await app.guest().request({ path: '/identity/api//keyBundle' })).status).toBe(404);
  expect((await app.guest().request({ path: '/identity/api/key%2fBundle' })).status).toBe(404);
});

test('other origins get no permission (T64)', async () => {
  for (const origin of ['https://evil.example', 'null', 'http://localhost:8080']) {
    const answer = await app.guest().request({ path: '/identity/api/me', headers: { origin } });
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  }
});

test('a listed origin may call the API, but its cookies are ignored', async () => {
  const open = await startTestApp({ environment: { CORS_ORIGINS: 'https://client.example' } });
  const ada = await open.signUp('ada');
  const origin = 'https://client.example';
  const preflight = await ada.request({ method: 'OPTIONS', path: '/identity/api/me', headers: { origin } });
  expect([preflight.status, preflight.headers['access-control-allow-origin']]).toEqual([204, origin]);
  const answer = await ada.request({ path: '/identity/api/me', headers: { origin } });
  expect(answer.headers).toMatchObject({
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
  });
  expect(answer.json()).toMatchObject({ message: 'guest' });
  const evil = await ada.request({
    method: 'OPTIONS',
    path: '/identity/api/me',
    headers: { origin: 'https://evil.example' },
  });
  expect([evil.status, evil.headers['access-control-allow-origin']]).toEqual([405, undefined]);
  await open.stop();
});

test('a 500 reveals no internals (T68)', async () => {
  const broken = await startTestApp();
  const ada = await broken.signUp('ada');
  await broken.deps.db.transact(async (tx) => {
    const { sql } = await import('kysely');
    await sql.raw('alter table user_documents rename to gone').execute(tx);
  });
  const answer = await ada.request({ path: '/identity/api/keyBundle' });
  expect(answer.status).toBe(500);
  expect(answer.json()).toEqual({ message: 'Something went wrong', code: 'internal', request_id: expect.any(String) });
  expect(answer.headers).toMatchObject(EVERYWHERE);
  const line = broken.log
    .map((text) => JSON.parse(text) as Record<string, unknown>)
    .find(({ level }) => level === 'error');
  expect(line).toMatchObject({
    request_id: answer.json()['request_id'],
    error: { name: expect.stringMatching(/^SqliteError$|^error$/) },
  });
  await broken.stop();
});
