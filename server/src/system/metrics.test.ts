import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSealedPlace } from '../testing/sealed-place.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { isLocalCollector } from './routes.ts';

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
beforeAll(async () => {
  app = await startTestApp();
  [ada, bob] = [await app.signUp('ada'), await app.signUp('bob')];
});
afterAll(() => app.stop());

const path = '/metrics';

test('a collector on this machine and site admins get metrics, others a 404', async () => {
  const local = await app.guest().request({ path });
  expect([local.status, local.headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
  const away = { path, address: '192.0.2.1' };
  expect((await app.guest().request(away)).status).toBe(404);
  expect((await bob.request(away)).status).toBe(404);
  expect((await ada.request(away)).status).toBe(200);
  for (const name of ['x-forwarded-for', 'forwarded', 'via']) {
    expect((await app.guest().request({ path, headers: { [name]: '127.0.0.1' } })).status).toBe(404);
  }
});

test('callers of a local proxy that does not name them do not count as local', async () => {
  const site = await startTestApp({ environment: { PUBLIC_URL: 'https://vault.example.org', TRUST_PROXY: 'none' } });
  expect((await site.guest().request({ path })).status).toBe(404);
  await site.stop();
  const isLocal = (publicUrl: string, trustProxy: readonly string[], headers: Record<string, string> = {}) =>
    isLocalCollector(
      { publicUrl, port: 8080, trustProxy },
      {
        origin: { address: '::ffff:127.0.0.1', agentHash: null, userAgent: '', client: null },
        header: (name) => headers[name] ?? (name === 'host' ? '127.0.0.1:8080' : null),
      },
    );
  expect(isLocal('http://vault.example.org:8080', [])).toBe(true);
  for (const publicUrl of ['https://vault.example.org', 'https://vault.example.org:8080', 'http://vault.example.org']) {
    for (const proxies of [[], ['10.0.0.0/8'], ['uniquelocal', '127.0.0.2', '::1']]) {
      expect(isLocal(publicUrl, proxies)).toBe(false);
    }
    for (const proxies of [['loopback'], ['127.0.0.1'], ['10.0.0.0/8', '127.0.0.0/8']]) {
      expect(isLocal(publicUrl, proxies)).toBe(true);
      expect(isLocal(publicUrl, proxies, { 'x-forwarded-for': '192.0.2.1' })).toBe(false);
    }
  }
  // A proxy that passes on the Host header.
  expect((await app.guest().request({ path, headers: { host: 'vault.example.org' } })).status).toBe(404);
});

test('calls are counted by route, without any name, id or address', async () => {
  const place = await createSealedPlace(ada, { name: 'Canary group' });
  await ada.request({ path: `/passwordBroker/api/entryGroups/${place.g}/entries?secret=canary` });
  await app.guest().request({ path: '/passwordBroker/api/canary' });
  const { text } = await ada.request({ path });
  expect(text).toMatch(
    /passwordbroker_http_request_duration_seconds_count\{method="GET",route="[^"]*\/entryGroups\/:g\/entries",status="200"\} 1/,
  );
  expect(text).toMatch(/^passwordbroker_audit_unsealed_rows \d+$/m);
  expect(text).toMatch(/^passwordbroker_last_backup_timestamp_seconds 0$/m);
  expect(text).toContain('process_resident_memory_bytes');
  for (const secret of [place.g, place.e, ada.userId, 'example.org', 'anary', '127.0.0.1']) {
    expect(text).not.toContain(secret);
  }
});

test('sign-ins are counted by method and result, without a name', async () => {
  const site = await startTestApp();
  const eve = await site.signUp('eve');
  await site.signIn(eve);
  const login = { path: '/identity/api/login', json: { email: eve.email, password: 'wrong' } };
  await site.guest().request(login);
  await site.guest().request({ path: '/identity/api/sso/callback', json: { query: 'state=x' } });
  const { text } = await site.guest().request({ path });
  const lines = text.split('\n').filter((line) => line.startsWith('passwordbroker_sign_ins_total'));
  expect(lines.toSorted()).toEqual([
    'passwordbroker_sign_ins_total{method="password",result="invalid_credentials"} 1',
    'passwordbroker_sign_ins_total{method="password",result="succeeded"} 1',
    'passwordbroker_sign_ins_total{method="sso",result="sso_failed"} 1',
  ]);
  await site.stop();
});
