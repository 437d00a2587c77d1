/** Signs in at the certified provider of the npm package `oidc-provider`, on loopback, following redirects like a browser. */
import { afterEach, expect, test } from 'vitest';
import * as session from '@passwordbroker/core/contract/account/session';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';
import { eventsOf, isIn } from '../factors/testing/two-factors.ts';
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

test('the provider asks again for a fresh sign-in', async () => {
  provider = await startRealProvider();
  const { issuer } = provider;
  app = await startTestApp({ environment: environmentOf(issuer), start: Date.now() });
  provider.admit(app.deps.config.publicUrl);
  await app.signUp('ada');
  const [browser, cookies] = [app.guest(), new Map<string, string>()];
  const forms: string[] = [];
  await comeBack(browser, await signInAt(issuer, await urlFor(browser), cookies));
  await comeBack(browser, await signInAt(issuer, await urlFor(browser), cookies, forms));
  expect(forms).toEqual([]);
  const answer = await comeBack(browser, await signInAt(issuer, await urlFor(browser, 'confirm'), cookies, forms));
  expect([answer.status, answer.json(), forms]).toEqual([200, { fresh_until: expect.any(String) }, ['login']]);
  // A person cannot leave that out on the way.
  const quiet = new URL(await urlFor(browser, 'confirm'));
  quiet.searchParams.delete('prompt');
  quiet.searchParams.delete('max_age');
  const refused = await comeBack(browser, await signInAt(issuer, quiet.href, cookies));
  expect(refusal(refused)).toEqual([401, 'sso_failed', 'Acme did not ask you to sign in again.']);
});

test('its logout token ends the session that began there, and no other (I130)', async () => {
  provider = await startRealProvider();
  const { issuer } = provider;
  const environment = environmentOf(issuer, { back_channel_logout: true });
  app = await startTestApp({ environment, start: Date.now() });
  const origin = await app.listen();
  provider.admit(app.deps.config.publicUrl, `${origin}/identity/api/sso/acme/backchannelLogout`);
  await app.signUp('ada');
  const [here, cookies] = [app.guest(), new Map<string, string>()];
  await comeBack(here, await signInAt(issuer, await urlFor(here), cookies));
  const there = app.guest();
  await comeBack(there, await signInAt(issuer, await urlFor(there)));
  expect([await isIn(here), await isIn(there)]).toEqual([true, true]);
  const { ended } = await logOutAt(issuer, cookies);
  expect(ended).toBe(true);
  expect([await isIn(here), await isIn(there)]).toEqual([false, true]);
  expect(await eventsOf(app, 'session_ended')).toHaveLength(1);
});

/** Logs out on the provider's own pages. */
async function logOutAt(issuer: string, cookies: ReadonlyMap<string, string>) {
  const headers = { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
  const page = await fetch(`${issuer}/session/end`, { headers });
  const text = await page.text();
  const own = page.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(text)?.[1] ?? '';
  const done = await fetch(`${issuer}/session/end/confirm`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: [headers.cookie, ...own].join('; ') },
    body: new URLSearchParams({ xsrf, logout: 'yes' }),
  });
  return { ended: done.status === 302 || done.status === 303 };
}

/** Signs in on the provider's own pages; returns the query of the way back. @param forms gets the name of each form */
async function signInAt(
  issuer: string,
  url: string,
  cookies = new Map<string, string>(),
  forms: string[] = [],
): Promise<string> {
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
    forms.push(prompt);
    form = new URLSearchParams(prompt === 'login' ? { prompt, login: 'eve', password: 'x' } : { prompt });
    at = new URL(action, at).href;
  }
  throw new Error('The provider goes round in circles');
}
