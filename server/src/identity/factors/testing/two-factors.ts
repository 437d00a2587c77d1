/** People with an authenticator app in tests, and what they see of it. */
import * as credentials from '@passwordbroker/core/contract/account/credentials';
import * as factors from '@passwordbroker/core/contract/account/factors';
import * as session from '@passwordbroker/core/contract/account/session';
import { parseTotpSecret, totpCode } from '@passwordbroker/core/domain/fields/totp';
import { startTestApp, type TestApp } from '../../../testing/test-app.ts';
import type { TestAnswer, TestClient, TestRequest } from '../../../testing/test-client.ts';
import type { TestPerson } from '../../../testing/test-person.ts';

/** Queues mails; no mail server answers. */
export const WITH_MAIL = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'vault@example.org' };

/** A site with `WITH_MAIL`: Ada is its admin. */
export async function startWithMail() {
  const app = await startTestApp({ environment: WITH_MAIL });
  return { app, ada: await app.signUp('ada'), bob: await app.signUp('bob') };
}

export const STEP = 30_000;

export interface Phone {
  readonly uri: string;
  /** The code that it shows now. */
  code(): string;
  /** A code of no step that is valid now. */
  wrong(): string;
}

/** Reads the address as an authenticator app does. */
export function phoneOf(app: TestApp, uri: string): Phone {
  const read = parseTotpSecret(uri);
  if (read?.algorithm === undefined || read.period === undefined) throw new Error(`No app can read ${uri}`);
  const totp = { secret: read.secret, algorithm: read.algorithm, period: read.period };
  const code = () => totpCode(totp, app.clock.now()).code;
  return {
    uri,
    code,
    wrong() {
      const near = [-STEP, 0, STEP].map((by) => totpCode(totp, app.clock.now() + by).code);
      return ['000000', '111111', '222222', '333333'].find((one) => !near.includes(one)) ?? '';
    },
  };
}

export interface Guarded {
  readonly phone: Phone;
  readonly codes: readonly string[];
}

/** Sets up the first factor of a person who has just signed in; the phone's next code is a new one. */
export async function guard(app: TestApp, person: TestClient, body: object = {}): Promise<Guarded> {
  const begun = await person.call(factors.beginTotp);
  const phone = phoneOf(app, begun.uri);
  const params = { totpId: begun.totp_id };
  const { recovery_codes } = await person.call(factors.confirmTotp, { params, body: { code: phone.code(), ...body } });
  app.clock.advance(STEP);
  return { phone, codes: recovery_codes?.codes ?? [] };
}

/** A login by cookie, or with `token_is_required` by token. */
export const loginOf = (person: TestPerson, more: object = {}, rest: Partial<TestRequest> = {}): TestRequest => ({
  path: '/identity/api/login',
  json: { email: person.email, password: person.password, ...more },
  ...rest,
});

export const codeOf = (answer: TestAnswer) => [answer.status, answer.json()['code'] ?? null];

export const asked = (answer: TestAnswer) => answer.json<{ details: factors.FactorAsked }>().details;

/** The second step. */
export const stepOf = (ticket: string, code: string, more: object = {}): TestRequest => ({
  path: factors.loginFactor.path,
  json: { ticket, method: 'totp', code, ...more },
});

/** Both steps in one call, in a new browser or a given one. */
export async function signInWith(
  app: TestApp,
  person: TestPerson,
  code: string,
  { more = {}, client = app.guest() }: { readonly more?: object; readonly client?: TestClient } = {},
): Promise<TestClient> {
  // Its session may have ended.
  await client.call(session.csrfCookie);
  const answer = await client.request(loginOf(person, { code, ...more }));
  if (answer.status !== 200) throw new Error(answer.text);
  return client;
}

export const isIn = async (client: TestClient) =>
  (await client.request({ path: '/identity/api/me' })).json()['message'] === 'loggedIn';

export const confirmOf = (person: TestPerson, more: object = {}): TestRequest => ({
  path: credentials.confirmPassword.path,
  json: { password: person.password, ...more },
});

export const waitingMails = async (app: TestApp) =>
  (await app.deps.db.read.selectFrom('mail_outbox').select(['notice', 'recipient']).orderBy('mail_id').execute()).map(
    ({ notice, recipient }) => `${recipient}: ${notice}`,
  );

export const eventsOf = async (app: TestApp, ...names: readonly string[]) =>
  (
    await app.deps.db.read
      .selectFrom('audit_log')
      .select(['event_type', 'login', 'details'])
      .where('event_type', 'in', names)
      .orderBy('audit_id')
      .execute()
  ).map(({ event_type, login, details }) => [event_type, login, details]);
