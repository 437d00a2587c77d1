/** A server with one provider, and people who sign in there. */
import * as sso from '@passwordbroker/core/contract/account/sso';
import type { SsoPurpose } from '@passwordbroker/core/contract/account/sso';
import * as session from '@passwordbroker/core/contract/account/session';
import { WITH_MAIL } from '../../factors/testing/two-factors.ts';
import { startTestApp, type SignedIn, type TestApp } from '../../../testing/test-app.ts';
import { testClock } from '../../../testing/test-clock.ts';
import type { TestAnswer, TestClient } from '../../../testing/test-client.ts';
import { CLIENT, startTestProvider, type TestProvider } from './test-provider.ts';

export interface SsoApp {
  readonly app: TestApp;
  readonly provider: TestProvider;
  /** Site admin. */
  readonly ada: SignedIn;
  stop(): Promise<void>;
}

/** The provider `acme` is on, and creates accounts of example.org. */
export async function startSsoApp(settings: object = {}): Promise<SsoApp> {
  let now = () => testClock().now();
  const provider = await startTestProvider({ now: () => now() });
  const app = await startTestApp({ environment: { ...environmentOf(provider.issuer, settings), ...WITH_MAIL } });
  now = () => app.clock.now();
  return {
    app,
    provider,
    ada: await app.signUp('ada'),
    async stop() {
      await app.stop();
      await provider.stop();
    },
  };
}

export const environmentOf = (issuer: string, settings: object = {}): Record<string, string> => ({
  LOG_LEVEL: 'warn',
  OIDC_PROVIDERS: 'acme',
  OIDC_ACME_ISSUER: issuer,
  OIDC_ACME_CLIENT_ID: CLIENT.id,
  OIDC_ACME_CLIENT_SECRET: CLIENT.secret,
  OIDC_ACME_NAME: 'Acme',
  OIDC_ACME_SETTINGS: JSON.stringify({
    enabled: true,
    create_accounts: true,
    allowed_domains: ['example.org'],
    ...settings,
  }),
});

const acme = { providerId: 'acme' };

export async function urlFor(client: TestClient, purpose: SsoPurpose = 'login', more: object = {}): Promise<string> {
  if (!client.cookies.has('XSRF-TOKEN')) await client.call(session.csrfCookie);
  return (await client.call(sso.begin, { params: acme, body: { purpose, ...more } })).url;
}

export const comeBack = (client: TestClient, query: string): Promise<TestAnswer> =>
  client.request({ path: sso.callback.path, json: { query } });

/** Signs in at the provider and returns, in one browser. */
export async function signInBySso(
  { provider }: Pick<SsoApp, 'provider'>,
  client: TestClient,
  purpose: SsoPurpose = 'login',
  more: object = {},
): Promise<TestAnswer> {
  return comeBack(client, provider.signIn(await urlFor(client, purpose, more)));
}

/** Signs in at the provider, and links that identity to the person's account. */
export async function linkBySso(site: Pick<SsoApp, 'provider'>, person: TestClient): Promise<void> {
  const answer = await signInBySso(site, person, 'link');
  if (answer.status !== 200) throw Object.assign(new Error(answer.text), answer.json());
  await person.call(sso.link, { body: { ticket: answer.json<{ ticket: string }>().ticket } });
}

export const refusal = (answer: TestAnswer) => [answer.status, answer.json()['code'], answer.json()['message']];
