/** Names of programs, and requests of browser extensions (docs/spec/api.md §1.4). */
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as credentials from '@passwordbroker/core/contract/account/credentials';
import * as session from '@passwordbroker/core/contract/account/session';
import { clientText, CONTRACT_VERSION, OLDEST_CONTRACT, VERSION } from '@passwordbroker/core/contract/client';
import { readClient } from '@passwordbroker/core/contract/faces';
import * as system from '@passwordbroker/core/contract/site/system';
import { startTestApp } from '../../testing/test-app.ts';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';
import { MINUTE } from '../../testing/test-clock.ts';

let app: TestApp;
let ada: SignedIn;
beforeEach(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
});
afterEach(() => app.stop());

const says = (text: string) => ({ 'x-pb-client': text });
const EXTENSION = 'chrome-extension://abcdefghijklmnopabcdefghijklmnop';

async function tokenOf(headers: Readonly<Record<string, string>>): Promise<{ token: string; token_id: string }> {
  const { email, password } = ada;
  const body = { email, password, token_is_required: true, token_name: 'laptop' };
  const answer = await app.guest().request({ path: '/identity/api/login', json: body, headers, withoutCsrf: true });
  expect(answer.status).toBe(200);
  return answer.json() as { token: string; token_id: string };
}

test('lists of sessions and tokens name the program of the last use', async () => {
  const [none] = await ada.call(credentials.sessions);
  expect(none).not.toHaveProperty('face');
  const { token, token_id } = await tokenOf(says(clientText('cli')));
  const listed = async () => (await ada.call(credentials.tokens)).find((one) => one.token_id === token_id);
  expect(await listed()).toMatchObject({ face: 'cli', client_version: VERSION });
  app.clock.advance(2 * MINUTE);
  const use = { authorization: `Bearer ${token}`, ...says('extension/2.0.0-rc.1;contract=3') };
  await app.guest().call(session.me, { headers: use });
  await expect.poll(listed).toMatchObject({ face: 'extension', client_version: '2.0.0-rc.1' });
  app.clock.advance(2 * MINUTE);
  await app.guest().call(session.me, { headers: { authorization: `Bearer ${token}` } });
  expect(await listed()).toMatchObject({ face: 'extension' });
});

test('a program below the oldest contract is refused, and setup names the contracts', async () => {
  expect((await app.guest().call(system.setup)).contract).toEqual({
    current: CONTRACT_VERSION,
    oldest: OLDEST_CONTRACT,
  });
  const answer = await ada.request({ path: '/identity/api/me', headers: says('cli/0.9.0;contract=0') });
  expect([answer.status, answer.json()]).toMatchObject([
    409,
    { code: 'client_too_old', details: { oldest: OLDEST_CONTRACT } },
  ]);
});

test('anything else in the header is ignored', () => {
  expect(readClient(clientText('web'))).toEqual({ face: 'web', version: VERSION, contract: CONTRACT_VERSION });
  const long = `web/${'1'.repeat(41)};contract=1`;
  const texts = ['', 'web', 'web/1.0.0', 'curl/8.0;contract=0', 'web/1.0 0;contract=0', 'web/1;contract=-1', long];
  for (const text of [undefined, ...texts, 'web/1;contract=0\n', `${clientText('cli')};x`])
    expect(readClient(text)).toBeNull();
});

test('an extension calls with the header of tokens, where no cookie counts, and with nothing else', async () => {
  const { token } = await tokenOf({ origin: EXTENSION, authorization: 'Bearer none' });
  for (const origin of [EXTENSION, 'moz-extension://0a1b2c3d-0000-4000-8000-000000000000']) {
    const call = (authorization: Record<string, string>) =>
      ada.request({ path: '/identity/api/me', headers: { origin, 'sec-fetch-site': 'cross-site', ...authorization } });
    const own = await call({ authorization: `Bearer ${token}` });
    expect([own.status, own.json()['message']]).toEqual([200, 'loggedIn']);
    // Ada's cookies are sent, too.
    expect((await call({ authorization: 'Bearer none' })).json()['message']).toBe('guest');
    for (const authorization of [{}, { authorization: 'Basic YTpi' }]) {
      const refused = await call(authorization);
      expect([refused.status, refused.json()['code']]).toEqual([403, 'cross_site']);
    }
  }
  for (const origin of ['https://evil.example', 'xchrome-extension://a', 'null']) {
    const headers = { origin, authorization: `Bearer ${token}` };
    expect((await app.guest().request({ path: '/identity/api/me', headers })).status).toBe(403);
  }
});
