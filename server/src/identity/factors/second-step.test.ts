/** Signing in to an account that has a second factor. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as credentials from '@passwordbroker/core/contract/account/credentials';
import * as factors from '@passwordbroker/core/contract/account/factors';
import * as session from '@passwordbroker/core/contract/account/session';
import * as people from '@passwordbroker/core/contract/users/people';
import { answerAfterEnd } from '../../testing/ended-session.ts';
import { startTestApp } from '../../testing/test-app.ts';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';
import { MINUTE } from '../../testing/test-clock.ts';
import type { TestAnswer, TestRequest } from '../../testing/test-client.ts';
import { startSecondIfPossible } from '../../testing/second-instance.ts';
import { TEST_ACCOUNT_PASSWORDS } from '../../testing/test-person.ts';
import {
  asked,
  codeOf,
  eventsOf,
  guard,
  isIn,
  loginOf,
  signInWith,
  STEP,
  startWithMail,
  stepOf,
  waitingMails,
  type Guarded,
} from './testing/two-factors.ts';

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
let own: Guarded;
beforeEach(async () => {
  ({ app, ada, bob } = await startWithMail());
  own = await guard(app, bob);
});
afterEach(() => app.stop());

test('the account password alone gets a ticket and no session (I20, T17)', async () => {
  const browser = app.guest();
  await browser.call(session.csrfCookie);
  const guest = new Map(browser.cookies);
  const answer = await browser.request(loginOf(bob));
  expect([codeOf(answer), answer.json()['message']]).toEqual([
    [401, 'second_factor_required'],
    'A second factor is needed',
  ]);
  expect(asked(answer)).toEqual({
    ticket: expect.stringMatching(/^pbl_s[\w-]{43}$/),
    expires_at: new Date(app.clock.now() + 5 * MINUTE).toISOString(),
    methods: ['totp', 'recovery'],
    passkeys: { usable: 0, elsewhere: [] },
    recovery_codes_left: 10,
    can_remember: true,
    remember_days: 30,
  });
  expect([answer.headers['set-cookie'], await isIn(browser), browser.cookies]).toEqual([undefined, false, guest]);
  const token = await app.guest().request(loginOf(bob, { token_is_required: true }, { withoutCsrf: true }));
  expect([codeOf(token), asked(token).can_remember]).toEqual([[401, 'second_factor_required'], false]);
  // The account password confirms nothing alone either.
  const here = await signInWith(app, bob, own.phone.code());
  const confirm = (code: string | null) =>
    here.request({ path: credentials.confirmPassword.path, json: { password: bob.password, code } });
  expect((await confirm(null)).json()).toMatchObject({
    code: 'validation',
    errors: { code: ['The code is required.'] },
  });
  expect((await confirm(own.phone.wrong())).json()).toMatchObject({ errors: { code: ['The code is not right'] } });
  app.clock.advance(STEP);
  expect((await confirm(own.phone.code())).status).toBe(200);
  expect((await here.call(credentials.confirmWays)).ways).toEqual([{ password: true, factor: ['totp', 'recovery'] }]);
});

test('both in one call, or a second step in the same browser, sign in (I21)', async () => {
  const once = await signInWith(app, bob, `${own.phone.code().slice(0, 3)} ${own.phone.code().slice(3)}`);
  expect(await once.call(session.me)).toMatchObject({ sign_in: { method: 'password', factor: 'totp' } });
  app.clock.advance(STEP);
  const browser = app.guest();
  const { ticket } = asked(await browser.request(loginOf(bob)));
  const answer = await browser.request(stepOf(ticket, own.phone.code()));
  expect([answer.status, answer.json()['message'], await isIn(browser)]).toEqual([200, 'Login successful', true]);
  expect((await browser.call(credentials.sessions))[0]).toMatchObject({ current: true, factor: 'totp' });
  app.clock.advance(STEP);
  const program = app.guest();
  const byToken = loginOf(bob, { token_is_required: true, token_name: 'laptop' }, { withoutCsrf: true });
  const step = stepOf(asked(await program.request(byToken)).ticket, own.phone.code());
  const granted = await program.request({ ...step, withoutCsrf: true });
  expect([granted.status, granted.headers['set-cookie']]).toEqual([200, undefined]);
  expect(await browser.call(credentials.tokens)).toMatchObject([{ name: 'laptop', factor: 'totp' }]);
  expect(await eventsOf(app, 'second_factor_asked', 'login')).toContainEqual([
    'login',
    bob.email,
    JSON.stringify({ method: 'password', factor: 'totp' }),
  ]);
});

test('each step of a sign-in is one transaction, with a code as without', async () => {
  const transactions = vi.spyOn(app.deps.db, 'transactBeside');
  const counted = async (request: TestRequest, client = app.guest()) => {
    transactions.mockClear();
    const answer = await client.request(request);
    return { answer, count: transactions.mock.calls.length };
  };
  expect(await counted(loginOf(ada))).toMatchObject({ answer: { status: 200 }, count: 1 });
  expect(await counted(loginOf(bob, { code: own.phone.code() }))).toMatchObject({ answer: { status: 200 }, count: 1 });
  app.clock.advance(STEP);
  const client = app.guest();
  const first = await counted(loginOf(bob), client);
  expect(first.count).toBe(1);
  const second = stepOf(asked(first.answer).ticket, own.phone.code());
  expect(await counted(second, client)).toMatchObject({ answer: { status: 200 }, count: 1 });
  expect(await counted(loginOf(bob, { code: own.phone.wrong() }))).toMatchObject({ answer: { status: 401 }, count: 1 });
  transactions.mockRestore();
});

test('a ticket of another browser, used, expired, of an old password or a disabled account is none (I22)', async () => {
  const askFor = async (browser = app.guest()) => ({
    browser,
    ticket: asked(await browser.request(loginOf(bob))).ticket,
  });
  const refused = async (browser: { request: SignedIn['request'] }, ticket: string) => {
    const answer = await browser.request(stepOf(ticket, own.phone.code()));
    expect([codeOf(answer), answer.json()['message']]).toEqual([
      [401, 'ticket_invalid'],
      'Your sign-in has expired. Begin again.',
    ]);
  };
  const first = await askFor();
  await refused(app.guest(), first.ticket);
  expect((await first.browser.request(stepOf(first.ticket, own.phone.code()))).status).toBe(200);
  app.clock.advance(STEP);
  await refused(first.browser, first.ticket);
  const late = await askFor();
  app.clock.advance(5 * MINUTE);
  await refused(late.browser, late.ticket);
  // The sixth ends the oldest.
  const oldest = await askFor();
  for (let n = 0; n < 5; n += 1) await askFor();
  await refused(oldest.browser, oldest.ticket);
  const stale = await askFor();
  const params = { id: bob.userId };
  const password = 'a new account password';
  await ada.request({ path: '/identity/api/confirmPassword', json: { password: ada.password } });
  await ada.call(people.update, { params, body: { password, password_confirmation: password } });
  await refused(stale.browser, stale.ticket);
  const asker = app.guest();
  const last = asked(await asker.request(loginOf({ ...bob, password }))).ticket;
  await ada.call(people.setDisabled, { params, body: { status: true } });
  await refused(asker, last);
});

test('a wrong password says the same with and without a second factor (I23)', async () => {
  const [with2, without] = await Promise.all(
    [bob, ada].map((person) => app.guest().request(loginOf({ ...person, password: 'wrong' }, { code: '123456' }))),
  );
  const said = (answer: TestAnswer) => ({ ...answer.json(), request_id: '', status: answer.status });
  expect(said(with2!)).toEqual(said(without!));
  expect(codeOf(with2!)).toEqual([401, 'invalid_credentials']);
});

test('guessed tickets are refused, and five wrong codes end a true one (I24)', async () => {
  const browser = app.guest();
  const { ticket } = asked(await browser.request(loginOf(bob)));
  for (let n = 0; n < 20; n += 1) {
    const guess = `${ticket.slice(0, 5)}${String(n).padStart(43, 'A')}`;
    expect(codeOf(await browser.request(stepOf(guess, own.phone.code())))).toEqual([401, 'ticket_invalid']);
  }
  for (let n = 0; n < 5; n += 1) {
    const answer = await browser.request(stepOf(ticket, own.phone.wrong()));
    expect([codeOf(answer), answer.json()['message']]).toEqual([
      [401, 'second_factor_invalid'],
      'The code is not right',
    ]);
  }
  app.clock.advance(5 * MINUTE - 1);
  expect(codeOf(await browser.request(stepOf(ticket, own.phone.code())))).toEqual([401, 'ticket_invalid']);
});

test('a code works once, on two instances and in 20 parallel calls (I25, T18)', async () => {
  const second = await startSecondIfPossible(app);
  try {
    const code = own.phone.code();
    const calls = Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? app.guest() : (second?.at() ?? app.guest())));
    const answers = await Promise.all(calls.map((client) => client.request(loginOf(bob, { code }))));
    const codes = answers.map((answer) => codeOf(answer)[1]);
    expect(codes.filter((code) => code === null)).toHaveLength(1);
    // Both instances know the account.
    expect(codes).not.toContain('invalid_credentials');
  } finally {
    await second?.stop();
  }
});

test('codes of the steps beside the present one work, older and used ones do not (I26, T19)', async () => {
  const code = own.phone.code();
  app.clock.advance(STEP);
  await signInWith(app, bob, code);
  expect(codeOf(await app.guest().request(loginOf(bob, { code })))).toEqual([401, 'second_factor_invalid']);
  const next = own.phone.code();
  app.clock.advance(-STEP);
  await signInWith(app, bob, next);
  // The clock went back: what was used stays used.
  expect(codeOf(await app.guest().request(loginOf(bob, { code })))).toEqual([401, 'second_factor_invalid']);
  app.clock.advance(3 * STEP);
  const old = own.phone.code();
  app.clock.advance(2 * STEP);
  expect(codeOf(await app.guest().request(loginOf(bob, { code: old })))).toEqual([401, 'second_factor_invalid']);
});

test('each recovery code signs in once, in any way of writing (I29, I100, T21)', async () => {
  const [code = '', next = ''] = own.codes;
  expect(own.codes).toHaveLength(10);
  expect(new Set(own.codes.map((one) => /^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/.test(one)))).toEqual(
    new Set([true]),
  );
  const browser = app.guest();
  const { ticket } = asked(await browser.request(loginOf(bob)));
  const typed = ` ${code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o')} `;
  const answer = await browser.request(stepOf(ticket, typed, { method: 'recovery' }));
  expect([answer.status, answer.json()['recovery_codes_left']]).toEqual([200, 9]);
  const again = app.guest();
  const used = await again.request(
    stepOf(asked(await again.request(loginOf(bob))).ticket, code, { method: 'recovery' }),
  );
  expect([codeOf(used), used.json()['message']]).toEqual([
    [401, 'second_factor_invalid'],
    'The recovery code is not right, or was used',
  ]);
  const parallel = await Promise.all(
    Array.from({ length: 4 }, () => app.guest().request(loginOf(bob, { code: next }))),
  );
  expect(parallel.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const one of own.codes.slice(2)) await signInWith(app, bob, one, { client: browser });
  const mails = (await waitingMails(app)).filter((mail) => mail.includes('recovery'));
  expect([mails.length, mails[6], mails[9]]).toEqual([
    10,
    `${bob.email}: recovery codes low`,
    `${bob.email}: recovery codes gone`,
  ]);
});

test('the database has no code, ticket or remembered secret, but hashes (I30)', async () => {
  const browser = app.guest();
  const { ticket } = asked(await browser.request(loginOf(bob)));
  await browser.request(stepOf(ticket, own.phone.code(), { remember: true }));
  const { ticket: open } = asked(await app.guest().request(loginOf(bob)));
  const remembered = browser.cookies.get('pb_remember') ?? '';
  const { read } = app.deps.db;
  const rows = await Promise.all(
    (
      ['user_recovery_codes', 'sign_in_tickets', 'remembered_browsers', 'sessions', 'audit_log', 'mail_outbox'] as const
    ).map((table) => read.selectFrom(table).selectAll().execute()),
  );
  const dump = JSON.stringify(rows, (_, value: unknown) =>
    value instanceof Buffer
      ? `${value.toString('hex')} ${value.toString('base64url')} ${value.toString('latin1')}`
      : value,
  );
  expect(rows.map((table) => table.length > 0)).toEqual(rows.map(() => true));
  const secrets = [ticket, open, remembered, ...own.codes, ...own.codes.map((code) => code.replaceAll('-', ''))];
  expect(secrets.filter((secret) => secret === '' || dump.includes(secret))).toEqual([]);
});

test('a code is checked without using it, and wrong ones count (I31)', async () => {
  const check = (code: string) => bob.request({ path: factors.checkRecoveryCode.path, json: { code } });
  const [code = ''] = own.codes;
  expect((await check(code)).json()).toEqual({ is_good: true });
  for (let n = 0; n < 5; n += 1) expect((await check('0000-0000-0000-0000')).json()).toEqual({ is_good: false });
  expect((await check(code)).status).toBe(429);
  app.clock.advance(5 * MINUTE);
  expect((await bob.call(factors.get)).recovery_codes).toMatchObject({ left: 10, restored_at: null });
  await signInWith(app, bob, code);
});

test('a false link ticket does not tell whether the password is right', async () => {
  const link_ticket = `pbl_l${'A'.repeat(43)}`;
  const tries = [bob.password, 'wrong'].map((password) => loginOf({ ...bob, password } as SignedIn, { link_ticket }));
  for (const one of tries) expect(codeOf(await app.guest().request(one))).toEqual([401, 'ticket_invalid']);
});

test('a token login that began before the first factor gets no token', async () => {
  const nothing = () => Promise.resolve();
  let meanwhile: () => Promise<unknown> = nothing;
  const other = await startTestApp({
    accountPasswords: {
      ...TEST_ACCOUNT_PASSWORDS,
      async verify(hash, password) {
        const isRight = await TEST_ACCOUNT_PASSWORDS.verify(hash, password);
        await meanwhile();
        return isRight;
      },
    },
  });
  const ann = await other.signUp('ann');
  meanwhile = () => {
    meanwhile = nothing;
    return guard(other, ann);
  };
  const answer = await other.guest().request(loginOf(ann, { token_is_required: true }, { withoutCsrf: true }));
  expect(codeOf(answer)).toEqual([401, 'ticket_invalid']);
  expect(await ann.call(credentials.tokens)).toEqual([]);
  await other.stop();
});

test('a session that ends while it makes a token makes none', async () => {
  const make = () => bob.request({ path: credentials.createToken.path, json: { token_name: 'late' } });
  expect(codeOf(await answerAfterEnd(app, bob.userId, make))).toEqual([401, 'unauthenticated']);
  const left = await app.deps.db.read.selectFrom('sessions').select('name').where('user_id', '=', bob.userId).execute();
  expect(left).toEqual([]);
});
