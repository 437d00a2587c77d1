import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CONTRACT } from '@passwordbroker/core/contract/index';
import { openApi } from '@passwordbroker/core/contract/openapi';
import * as system from '@passwordbroker/core/contract/site/system';
import { readConfig } from '../app/config.ts';
import { createLog } from '../platform/log.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { TestApp } from '../testing/test-app.ts';
import { HOUR } from '../testing/test-clock.ts';
import { CONTRACT_VERSION, OLDEST_CONTRACT, VERSION } from '@passwordbroker/core/contract/client';
import { sweep, warnAboutPlainHttp, warnAboutPlaintext, warnWhileUnclaimed } from './housekeeping.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

test('the version is that of package.json', () => {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  expect((JSON.parse(text) as { version: string }).version).toBe(VERSION);
});

test('setup reports whether the site has a user', async () => {
  const other = await startTestApp();
  const expected = {
    initialised: false,
    setup_token_required: false,
    server_crypto: 'allowed',
    password_policy: 'warn',
    require_verified_members: false,
    password_min_length: 12,
    password_min_score: 3,
    offline_allowed: true,
    version: VERSION,
    contract: { current: CONTRACT_VERSION, oldest: OLDEST_CONTRACT },
  };
  expect(await other.guest().call(system.setup)).toEqual(expected);
  await other.signUp('ada');
  expect(await other.guest().call(system.setup)).toEqual({ ...expected, initialised: true });
  await other.stop();
});

test('health and ready answer ok', async () => {
  expect(await app.guest().call(system.health)).toEqual({ status: 'ok' });
  const ready = { status: 'ready', checks: { database: 'ok', migrations: 'ok', storage: 'ok' } };
  expect(await app.guest().call(system.ready)).toEqual(ready);
  expect((await app.guest().request({ path: '/ready/' })).status).toBe(200);
});

test('a database that does not answer makes the process unready but not unhealthy', async () => {
  const broken = await startTestApp();
  await broken.deps.db.transact(async (tx) => {
    const { sql } = await import('kysely');
    await sql.raw('alter table site_settings rename to gone').execute(tx);
  });
  const answer = await broken.guest().request({ path: '/ready' });
  expect(answer.status).toBe(503);
  expect(answer.headers['retry-after']).toBe('5');
  expect(answer.json()).toEqual({
    status: 'not_ready',
    checks: { database: 'failed', migrations: 'ok', storage: 'ok' },
  });
  expect((await broken.guest().request({ path: '/health' })).status).toBe(200);
  await broken.stop();
});

test('OpenAPI names every call, and docs/openapi.json is up to date', async () => {
  const document = await app.guest().call(system.openapi);
  expect(document).toEqual(JSON.parse(JSON.stringify(openApi(CONTRACT, VERSION))));
  const paths = document['paths'] as Record<string, Record<string, { operationId: string }>>;
  const names = Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
  expect(names.sort()).toEqual(Object.keys(CONTRACT).sort());
  // `npx vitest run server/src/system -u` prints it again.
  await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot('../../../docs/openapi.json');
});

test('the sweep removes expired sessions and attempts', async () => {
  const other = await startTestApp();
  const ada = await other.signUp('ada');
  await other.guest().request({ path: '/identity/api/login', json: { email: ada.email, password: 'wrong' } });
  const { read } = other.deps.db;
  const counts = async () => [
    (await read.selectFrom('sessions').selectAll().execute()).length,
    (await read.selectFrom('attempts').selectAll().execute()).length,
  ];
  await sweep(other.deps);
  expect(await counts()).toEqual([1, 3]);
  other.clock.advance(HOUR);
  await sweep(other.deps);
  expect(await counts()).toEqual([1, 1]);
  other.clock.advance(12 * HOUR);
  await sweep(other.deps);
  expect(await counts()).toEqual([0, 1]);
  // Consecutive failures are stored for a month.
  other.clock.advance(30 * 24 * HOUR);
  await sweep(other.deps);
  expect(await counts()).toEqual([0, 0]);
  await other.stop();
});

test('unencrypted connections to other servers cause warnings (T156)', () => {
  const warned = (environment: Readonly<Record<string, string>>) => {
    const lines: string[] = [];
    const log = createLog('info', { write: (line) => void lines.push(line) });
    warnAboutPlaintext({ ...app.deps, config: readConfig(environment), log });
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>).map(({ host, msg }) => [host, msg]);
  };
  expect(
    warned({ DATABASE_URL: 'postgres://v:secret@db.example/x', SMTP_URL: 'smtp://u:secret@mail.example?insecure=1' }),
  ).toEqual([
    ['db.example', 'DATABASE_URL: connections to this host are not encrypted; add sslmode=verify-full'],
    ['mail.example', 'SMTP_URL: with insecure=1 mail to this host may go unencrypted'],
  ]);
  const store = (endpoint: string) => ({
    BACKUP_COPY: 's3://bucket',
    BACKUP_S3_ENDPOINT: endpoint,
    BACKUP_S3_ACCESS_KEY: 'key',
    BACKUP_S3_SECRET_KEY: 'secret',
  });
  expect(warned(store('http://s3.example'))).toEqual([
    ['s3.example', 'BACKUP_S3_ENDPOINT: backups go to this host unencrypted by TLS; use https'],
  ]);
  for (const endpoint of ['https://s3.example', 'http://127.0.0.1:9000']) expect(warned(store(endpoint))).toEqual([]);
  expect(warned({})).toEqual([]);
  for (const query of ['sslmode=require', 'sslmode=verify-full'])
    expect(warned({ DATABASE_URL: `postgres://v@db.example/x?${query}`, SMTP_URL: 'smtps://mail.example' })).toEqual(
      [],
    );
  expect(warned({ DATABASE_URL: 'postgres://v@127.0.0.1/x', SMTP_URL: 'smtp://localhost:25?insecure=1' })).toEqual([]);
});

test('a site without a first user and plain http for other machines cause warnings', async () => {
  const open = await startTestApp({ environment: { PUBLIC_URL: 'http://vault.example.org' } });
  await warnWhileUnclaimed(open.deps);
  warnAboutPlainHttp(open.deps);
  expect(open.log.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
    'nobody has signed up yet: the first person who signs up owns this site; sign up, or set SETUP_TOKEN',
    'PUBLIC_URL is plain http: the web client needs https',
  ]);
  await open.signUp('ada');
  const before = open.log.length;
  await warnWhileUnclaimed(open.deps);
  expect(open.log.length).toBe(before);
  await open.stop();
  await warnWhileUnclaimed(app.deps);
  warnAboutPlainHttp(app.deps);
  expect(app.log.join('')).not.toContain('nobody has signed up');
});
