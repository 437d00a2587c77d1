/** Signs in at the certified provider of the npm package `oidc-provider`, on loopback, following redirects like a browser. */
import { afterEach, expect, test } from 'vitest';
import * as session from '@passwordbroker/core/contract/account/session';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';
import { comeBack, environmentOf, refusal, urlFor } from './testing/sso-app.ts';
import { type RealProvider, startRealProvider } from './testing/real-provider.ts';

let app: TestApp | null = null;
let provider: RealProvider | null = null;
afterEach(async () => {
  await app?.stop();
  provider?.stop();
});

test('discovery, code with PKCE and nonce, and the address from userinfo', async () => {
  provider = await startRealProvider();
  const { issuer } = provider;
  app = await startTestApp({ environment: { ...environmentOf(issuer), LOG_LEVEL: 'info' }, start: Date.now() });
  provider.admit(app.deps.config.publicUrl);
  const ada = await app.signUp('ada');
  expect(ada.email).not.toBe('eve@example.org');

  const browser = app.guest();
  const query = await signInAt(issuer, await urlFor(browser));
  expect(new URLSearchParams(query).get('iss')).toBe(issuer);
  const answer = await comeBack(browser, query);
  expect([answer.status, answer.json()]).toMatchObject([200, { user: { name: 'Eve', email: 'eve@example.org' } }]);
  expect((await browser.call(session.me)).sign_in).toMatchObject({ method: 'sso', provider_id: 'acme' });
  // The code does not work again, not even in a new sign-in.
  const again = app.guest();
  const state = new URL(await urlFor(again)).searchParams.get('state') ?? '';
  const replayed = new URLSearchParams(query);
  replayed.set('state', state);
  expect(refusal(await comeBack(again, replayed.toString())).slice(0, 2)).toEqual([401, 'sso_failed']);
});

/** Signs in on the provider's own pages; returns the query of the way back. */
async function signInAt(issuer: string, url: string): Promise<string> {
  const cookies = new Map<string, string>();
  let [at, form]: [string, URLSearchParams | null] = [url, null];
  for (let steps = 0; steps < 12; steps += 1) {
    const answer: Response = await fetch(at, {
      method: form === null ? 'GET' : 'POST',
      body: form,
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    });
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    const location = answer.headers.get('location');
    if (location !== null) {
      const next = new URL(location, at);
      if (next.origin !== issuer) return next.search.slice(1);
      [at, form] = [next.href, null];
      continue;
    }
    const page = await answer.text();
    const action = /action="([^"]+)"/.exec(page)?.[1];
    if (action === undefined) throw new Error(`The provider shows ${answer.status} ${page.slice(0, 300)}`);
    const prompt = /name="prompt" value="([^"]+)"/.exec(page)?.[1] ?? 'login';
    form = new URLSearchParams(prompt === 'login' ? { prompt, login: 'eve', password: 'x' } : { prompt });
    at = new URL(action, at).href;
  }
  throw new Error('The provider goes round in circles');
}
