/**
 * Methods that a path does not have are refused by the same rules as existing ones, although the router does
 * not know them (docs/spec/api.md §1.3).
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';

let app: TestApp;
let ada: SignedIn;
beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
});
afterAll(() => app.stop());

const GROUP = '/passwordBroker/api/entryGroups/0190a1b2-0000-7000-8000-000000000001';
const refusal = async (method: string, path: string, headers: Record<string, string> = {}) => {
  const answer = await ada.request({ method, path, headers });
  return [answer.status, method === 'HEAD' ? '' : answer.json<{ code: string }>().code];
};

test.each([
  ['PATCH', '/identity/api/me'],
  ['POST', '/identity/api/me'],
  ['TRACE', '/identity/api/me'],
  ['OPTIONS', '/identity/api/me'],
  ['PUT', '/health'],
  ['TRACE', `${GROUP}/entries`],
  ['PATCH', `${GROUP}/entries`],
  ['PUT', `${GROUP}/entries/?perPage=1`],
  ['DELETE', `${GROUP}/entries/%61/fields`],
])('%s %s: 405', async (method, path) => {
  expect(await refusal(method, path)).toEqual([405, 'method_not_allowed']);
});

test('HEAD is allowed only for probes, as it could hide a logged GET', async () => {
  expect(await refusal('HEAD', `${GROUP}/entries`)).toEqual([405, '']);
  expect(await refusal('HEAD', '/health')).toEqual([200, '']);
});

test('an unknown path is 404 with any method', async () => {
  for (const method of ['GET', 'PATCH', 'DELETE', 'TRACE', 'OPTIONS']) {
    expect(await refusal(method, `${GROUP}/nothing`)).toEqual([404, 'not_found']);
    expect(await refusal(method, '/identity/api/me/more')).toEqual([404, 'not_found']);
  }
});

test('another origin gets the same answer as elsewhere', async () => {
  const headers = { origin: 'https://elsewhere.example' };
  expect(await refusal('PATCH', '/identity/api/me', headers)).toEqual(
    await refusal('GET', '/identity/api/me', headers),
  );
});
