/** Limits of wrong codes, and browsers that are not asked. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as factors from '@passwordbroker/core/contract/account/factors';
import * as session from '@passwordbroker/core/contract/account/session';
import * as site from '@passwordbroker/core/contract/site/site';
import * as people from '@passwordbroker/core/contract/users/people';
import * as credentials from '@passwordbroker/core/contract/account/credentials';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';
import { HOUR, MINUTE } from '../../testing/test-clock.ts';
import type { TestClient } from '../../testing/test-client.ts';
import {
  asked,
  codeOf,
  confirmOf,
  eventsOf,
  guard,
  loginOf,
  signInWith,
  STEP,
  stepOf,
  startWithMail,
  waitingMails,
  type Guarded,
} from './testing/two-factors.ts';

const DAY = 24 * HOUR;

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
let own: Guarded;
beforeEach(async () => {
  ({ app, ada, bob } = await startWithMail());
  own = await guard(app, bob);
});
afterEach(() => app.stop());

const wrongFrom = (address: string) => app.guest().request(loginOf(bob, { code: own.phone.wrong() }, { address }));

test('the sixth wrong code in five minutes is 429 from any address, the right one too (I27, T20)', async () => {
  for (let n = 0; n < 5; n += 1) {
    expect(codeOf(await wrongFrom(`192.0.2.${n}`))).toEqual([401, 'second_factor_invalid']);
  }
  for (let n = 5; n < 50; n += 1) expect((await wrongFrom(`192.0.2.${n}`)).status).toBe(429);
  const right = await app.guest().request(loginOf(bob, { code: own.phone.code() }));
  expect([right.status, right.headers['retry-after']]).toEqual([429, '300']);
  // A browser that was used for the account before goes on.
  const known = bob.copy();
  expect((await known.request(loginOf(bob, { code: own.phone.code() }))).status).toBe(200);
  expect(await waitingMails(app)).toContain(`${bob.email}: password known`);
  expect((await waitingMails(app)).filter((mail) => mail.endsWith('password known'))).toHaveLength(1);
  app.clock.advance(5 * MINUTE);
  await signInWith(app, bob, own.phone.code());
});

test('five wrong codes at the same moment are told to the owner too', async () => {
  const waiting = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const client = app.guest();
      return { client, ticket: asked(await client.request(loginOf(bob))).ticket };
    }),
  );
  const wrong = own.phone.wrong();
  const answers = await Promise.all(waiting.map(({ client, ticket }) => client.request(stepOf(ticket, wrong))));
  expect(answers.map(codeOf)).toEqual(Array.from({ length: 5 }, () => [401, 'second_factor_invalid']));
  expect((await waitingMails(app)).filter((mail) => mail.endsWith('password known'))).toHaveLength(1);
});

test('of many guesses at the same moment five are answered, and the right one after them is none (I27)', async () => {
  const lastUsed = () => app.deps.db.read.selectFrom('user_totp').select('last_step').execute();
  const before = await lastUsed();
  const guesses = [...Array.from({ length: 20 }, () => own.phone.wrong()), own.phone.code()];
  const answers = await Promise.all(
    guesses.map((code, n) => app.guest().request(loginOf(bob, { code }, { address: `192.0.2.${n}` }))),
  );
  const codes = answers.map(codeOf).map(([, code]) => code);
  expect(codes.filter((code) => code === 'second_factor_invalid')).toHaveLength(5);
  expect(codes.filter((code) => code === 'too_many_requests')).toHaveLength(16);
  expect(codes.at(-1)).toBe('too_many_requests');
  expect(await lastUsed()).toEqual(before);
});

test('after 50 wrong codes in a row only an admin lets the person in (I28)', async () => {
  let judged = 0;
  for (let n = 0; judged < 50 && n < 200; n += 1) {
    const { status } = await wrongFrom(`192.0.2.${n}`);
    if (status === 401) judged += 1;
    app.clock.advance(15 * MINUTE);
  }
  expect(judged).toBe(50);
  app.clock.advance(DAY);
  expect((await app.guest().request(loginOf(bob, { code: own.phone.code() }))).status).toBe(429);
  expect((await app.guest().request(loginOf(bob, { code: own.codes[0] }))).status).toBe(429);
  const admin = await app.signIn(ada);
  const params = { id: bob.userId };
  await admin.call(people.setDisabled, { params, body: { status: false } });
  await signInWith(app, bob, own.phone.code());
});

const remembering = async (client: TestClient = app.guest()) => {
  app.clock.advance(STEP);
  await signInWith(app, bob, own.phone.code(), { client, more: { remember: true } });
  return client;
};
const again = async (client: TestClient, person = bob) => {
  await client.call(session.csrfCookie);
  const answer = await client.request(loginOf(person));
  return answer.status === 200 ? 'in' : answer.json()['code'];
};

test('a remembered browser is not asked, and is not fresh (I32)', async () => {
  const browser = await remembering();
  const old = browser.copy();
  expect(await again(browser)).toBe('in');
  expect(await browser.call(session.me)).toMatchObject({ sign_in: { factor: 'remembered' } });
  expect(codeOf(await browser.request({ path: factors.beginTotp.path, method: 'POST' }))).toEqual([
    403,
    'reauth_required',
  ]);
  app.clock.advance(STEP);
  expect((await browser.request(confirmOf(bob, { code: own.phone.code() }))).status).toBe(200);
  await browser.call(factors.beginTotp);
  // Each use gives it another secret; the copied one is unknown.
  expect(await again(old)).toBe('second_factor_required');
  const { remembered } = await browser.call(factors.get);
  expect(remembered).toMatchObject([{ current: true }]);
  expect(remembered[0]?.expires_at).toBe(
    new Date(Date.parse(remembered[0]?.created_at ?? '') + 30 * DAY).toISOString(),
  );
  app.clock.advance(30 * DAY);
  expect(await again(browser)).toBe('second_factor_required');
  expect((await eventsOf(app, 'browser_remembered')).length).toBe(1);
});

test('only for the same account and sessions, at most ten, and never for site admins (I33)', async () => {
  const browser = await remembering();
  const byToken = await browser.request(loginOf(bob, { token_is_required: true }, { withoutCsrf: true }));
  expect(codeOf(byToken)).toEqual([401, 'second_factor_required']);
  const carol = await app.signUp('carol');
  const hers = await guard(app, carol);
  expect(await again(browser, carol)).toBe('second_factor_required');
  const admin = await app.signIn(ada);
  const theirs = await guard(app, admin);
  await signInWith(app, ada, theirs.phone.code(), { client: admin, more: { remember: true } });
  expect(await again(admin, ada)).toBe('second_factor_required');
  const [code = ''] = hers.codes;
  const lost = app.guest();
  await signInWith(app, carol, code, { client: lost, more: { remember: true } });
  expect(await again(lost, carol)).toBe('second_factor_required');
  const others: TestClient[] = [];
  for (let n = 0; n < 10; n += 1) others.push(await remembering());
  expect([await again(browser), await again(others[0]!)]).toEqual(['second_factor_required', 'in']);
});

test('they end with a new password, a promotion, fewer days, and when their owner says so (I34)', async () => {
  const browser = await remembering();
  const [one] = (await browser.call(factors.get)).remembered;
  await browser.call(factors.forgetBrowser, { params: { browserId: one?.browser_id ?? '' } });
  expect(await again(browser)).toBe('second_factor_required');
  await remembering(browser);
  expect(await browser.call(factors.forgetBrowsers)).toEqual({ ended: 1 });
  expect(await again(browser)).toBe('second_factor_required');
  await remembering(browser);
  const admin = await app.signIn(ada);
  await admin.call(site.changeSignIn, { body: { remember_days: 29 } });
  expect(await again(browser)).toBe('second_factor_required');
  await remembering(browser);
  await admin.call(people.setAdmin, { params: { id: bob.userId }, body: { is_admin: true } });
  await admin.call(people.setAdmin, { params: { id: bob.userId }, body: { is_admin: false } });
  expect(await again(browser)).toBe('second_factor_required');
  await remembering(browser);
  const password = 'another account password';
  const body = { current_password: bob.password, password, password_confirmation: password };
  await browser.call(credentials.changePassword, { body });
  expect(await again(browser, { ...bob, password } as SignedIn)).toBe('second_factor_required');
});
