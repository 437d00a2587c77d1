/** Security keys: passkeys as a second factor beside the account password. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as credentials from '@passwordbroker/core/contract/account/credentials';
import * as factors from '@passwordbroker/core/contract/account/factors';
import * as passkeys from '@passwordbroker/core/contract/account/passkeys';
import { csrfCookie, me } from '@passwordbroker/core/contract/account/session';
import { changeSignIn } from '@passwordbroker/core/contract/site/site';
import { keyBundle } from '@passwordbroker/core/contract/users/users';
import { randomBytes } from '@passwordbroker/core/crypto/bytes';
import { wrapForPasskey } from '@passwordbroker/core/domain/keyring/keyring';
import {
  asked,
  codeOf,
  confirmOf,
  eventsOf,
  guard,
  isIn,
  loginOf,
  signInWith,
  startWithMail,
  stepOf,
  waitingMails,
} from '../identity/factors/testing/two-factors.ts';
import { listWithoutTheirFactor } from '../commands/damage-repository.ts';
import { everything } from '../operations/testing/vault.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { MINUTE } from '../testing/test-clock.ts';
import { TEST_KDF } from '../testing/test-person.ts';
import { callWithProof } from '../testing/test-proof.ts';
import type { TestAnswer, TestClient } from '../testing/test-client.ts';
import { answerWith, makePasskey, type SoftPasskey } from './testing/authenticator.ts';
import { addPasskey, FROM_PAGE, ORIGIN, signInByPasskey, touchOf } from './testing/passkeys.ts';

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
beforeEach(async () => {
  ({ app, ada, bob } = await startWithMail());
});
afterEach(() => app.stop());

type Lies = Parameters<typeof answerWith>[3];

const addKey = (person: TestClient, more: object = {}) => addPasskey(person, 'factor', { name: 'Key', ...more });
const removeKey = (person: TestClient, passkeyId: string) => person.call(passkeys.remove, { params: { passkeyId } });

/** The first step, in a page of this site. */
async function ask(client = app.guest(), more: object = {}) {
  await client.call(csrfCookie);
  return { client, told: asked(await client.request(loginOf(bob, more, FROM_PAGE))) };
}

const send = (client: TestClient, json: object): Promise<TestAnswer> =>
  client.request({ path: factors.loginFactor.path, json });

/** Both steps. */
async function signIn(soft: SoftPasskey, { lies, more = {} }: { readonly lies?: Lies; readonly more?: object } = {}) {
  const { client, told } = await ask();
  return { client, answer: await send(client, { ...(await touchOf(client, told.ticket, soft, lies)), ...more }) };
}

const REFUSED = [401, 'second_factor_invalid'];
const sessions = async () => (await app.deps.db.read.selectFrom('sessions').select('session_id').execute()).length;
const mailsOf = async (person: SignedIn) =>
  (await waitingMails(app))
    .filter((mail) => mail.startsWith(person.email))
    .map((mail) => mail.slice(person.email.length + 2));

test('the first security key brings recovery codes and ends other sessions and tokens (I38)', async () => {
  const other = await app.signIn(bob);
  await bob.call(credentials.createToken, { body: { token_name: 'script' } });
  const uses = ['factor' as const];
  const { options, options_token } = await bob.call(passkeys.registrationOptions, { body: { uses } });
  expect(options).toMatchObject({
    user: {
      id: Buffer.from(`${bob.userId.replaceAll('-', '')}00`, 'hex').toString('base64url'),
      name: `${bob.email} (second factor)`,
    },
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  });
  // A plain key is touched only: it verifies nobody.
  const { attestation } = makePasskey(options, ORIGIN, { isVerified: false });
  const body = { attestation, options_token, name: 'Key', uses, has_prf: false };
  const { passkey, recovery_codes } = await bob.call(passkeys.register, { body });
  expect([passkey.uses, passkey.last_used_at, recovery_codes?.codes.length]).toEqual([['factor'], null, 10]);
  expect([await isIn(bob), await isIn(other)]).toEqual([true, false]);
  expect(await bob.call(me)).toMatchObject({
    user: { factor_state: 'set' },
    sign_in: { method: 'password', factor: 'passkey' },
  });
  expect(await bob.call(factors.get)).toMatchObject({
    factor_state: 'set',
    totp: null,
    can_add_passkey: true,
    passkeys: [passkey],
    recovery_codes: { left: 10 },
    tokens: 0,
  });
  expect(await ada.call(factors.ofUser, { params: { id: bob.userId } })).toMatchObject({ totp: false, passkeys: 1 });
  expect(await listWithoutTheirFactor(app.deps.db)).toEqual([]);
  expect(await eventsOf(app, 'factor_added', 'passkey_added')).toEqual([
    ['factor_added', bob.email, '{"factor":"passkey"}'],
  ]);
  expect(await mailsOf(bob)).toContain('factor added');
});

test('tokens stay where their owner wants it, and an additional key brings no codes (I38)', async () => {
  await bob.call(credentials.createToken, { body: { token_name: 'script' } });
  const first = await addKey(bob, { revoke_tokens: false });
  const second = await addKey(bob);
  expect([first.codes.length, second.codes.length]).toEqual([10, 0]);
  expect(second.options.excludeCredentials).toMatchObject([{ id: first.soft.id }]);
  expect(await bob.call(credentials.tokens)).toMatchObject([{ name: 'script', factor: null }]);
});

test('the password alone gets a ticket, and the key then signs in, without verification too (I20, I21)', async () => {
  const { soft, stored, codes } = await addKey(bob);
  const { client, told } = await ask();
  expect(told).toMatchObject({
    methods: ['passkey', 'recovery'],
    passkeys: { usable: 1, elsewhere: [] },
    recovery_codes_left: 10,
    can_remember: true,
  });
  expect(await isIn(client)).toBe(false);
  const { options } = await client.call(factors.factorOptions, { body: { ticket: told.ticket } });
  expect(options).toMatchObject({
    rpId: 'localhost',
    userVerification: 'preferred',
    allowCredentials: [{ type: 'public-key', id: soft.id, transports: ['internal'] }],
  });
  expect(await app.deps.db.read.selectFrom('used_challenges').select('expires_at').execute()).toHaveLength(1);
  const answer = await send(client, await touchOf(client, told.ticket, soft, { isVerified: false }));
  expect([answer.status, answer.json()['recovery_codes_left']]).toEqual([200, 10]);
  expect(await client.call(me)).toMatchObject({ sign_in: { method: 'password', factor: 'passkey' } });
  // It counts as a fresh sign-in.
  await client.call(credentials.createToken, { body: { token_name: 'script' } });
  const [listed] = (await client.call(factors.get)).passkeys;
  expect(listed).toMatchObject({ passkey_id: stored.passkey_id, last_used_at: expect.any(String) });
  expect(await eventsOf(app, 'login')).toContainEqual(['login', bob.email, '{"method":"password","factor":"passkey"}']);
  // Recovery codes go on working.
  await signInWith(app, bob, codes[0] ?? '');
});

test('a browser may be remembered after the key, as after a code (I32)', async () => {
  const { soft } = await addKey(bob);
  const { client } = await signIn(soft, { more: { remember: true } });
  const next = app.guest();
  next.cookies.set('pb_remember', client.cookies.get('pb_remember') ?? '');
  expect((await next.request(loginOf(bob))).status).toBe(200);
  // A factor that is added or removed ends it.
  await addKey(client);
  expect(codeOf(await next.request(loginOf(bob)))).toEqual([401, 'second_factor_required']);
});

test('a program, a token login and another page are not offered the key (I20)', async () => {
  const { soft } = await addKey(bob);
  await guard(app, bob);
  const program = app.guest();
  await program.call(csrfCookie);
  const elsewhere = { usable: 0, elsewhere: ['localhost'] };
  expect(asked(await program.request(loginOf(bob)))).toMatchObject({
    methods: ['totp', 'recovery'],
    passkeys: elsewhere,
  });
  const byToken = loginOf(bob, { token_is_required: true }, { ...FROM_PAGE, withoutCsrf: true });
  const { ticket, ...told } = asked(await program.request(byToken));
  expect(told).toMatchObject({ methods: ['totp', 'recovery'], passkeys: elsewhere });
  await expect(program.call(factors.factorOptions, { body: { ticket } })).rejects.toMatchObject({ code: 'not_found' });
  const { client, told: own } = await ask();
  const touched = await touchOf(client, own.ticket, soft);
  expect(codeOf(await program.request({ ...stepOf(ticket, ''), json: { ...touched, ticket } }))).toEqual(REFUSED);
});

test('I50–I52: another challenge, origin, host, kind, key or person is refused, and the fifth ends the ticket (I24)', async () => {
  const { soft } = await addKey(bob);
  const { soft: ofAda } = await addKey(ada);
  const { soft: signsIn } = await addPasskey(bob, 'sign_in');
  const { soft: opens } = await addPasskey(bob, 'unlock');
  const before = await sessions();
  const bad: [SoftPasskey, Lies][] = [
    [soft, { challenge: 'AAAA' }],
    [soft, { origin: 'https://evil.example' }],
    [soft, { rpId: 'evil.example' }],
    [soft, { crossOrigin: true }],
    [soft, { type: 'webauthn.create' }],
    [soft, { userHandle: ofAda.userHandle }],
    [ofAda, {}],
    [signsIn, {}],
    [opens, {}],
    [{ ...soft, id: 'AAAA' }, {}],
    // Signed by the key of somebody else.
    [{ ...ofAda, id: soft.id, userHandle: soft.userHandle }, {}],
  ];
  for (const [key, lies] of bad) {
    const { answer } = await signIn(key, { lies });
    expect([codeOf(answer), answer.json()['message']]).toEqual([REFUSED, 'The passkey was not accepted']);
  }
  expect(await sessions()).toBe(before);
  expect((await eventsOf(app, 'second_factor_failed')).length).toBe(bad.length);

  const { client, told } = await ask();
  for (let n = 0; n < 5; n += 1) {
    const touched = await touchOf(client, told.ticket, soft, { challenge: 'AAAA' });
    expect(codeOf(await send(client, touched))).toEqual(REFUSED);
  }
  await expect(touchOf(client, told.ticket, soft)).rejects.toMatchObject({ code: 'ticket_invalid' });
});

test('an answer to another ticket, in another browser, or without an answer is refused (I22)', async () => {
  const { soft } = await addKey(bob);
  const first = await ask();
  const touched = await touchOf(first.client, first.told.ticket, soft);
  const { told } = await ask(first.client);
  expect(codeOf(await send(first.client, { ...touched, ticket: told.ticket }))).toEqual(REFUSED);
  const other = app.guest();
  await other.call(csrfCookie);
  expect(codeOf(await send(other, touched))).toEqual([401, 'ticket_invalid']);
  await expect(touchOf(other, told.ticket, soft)).rejects.toMatchObject({ code: 'ticket_invalid' });
  const [none, noCode] = [{ method: 'passkey' }, { method: 'recovery' }];
  expect((await send(first.client, { ...none, ticket: told.ticket })).json()).toMatchObject({
    errors: { assertion: ['The passkey was not accepted'] },
  });
  expect((await send(first.client, { ...noCode, ticket: told.ticket })).json()).toMatchObject({
    errors: { code: ['The code is required.'] },
  });
  app.clock.advance(5 * MINUTE);
  expect(codeOf(await send(first.client, touched))).toEqual([401, 'ticket_invalid']);
});

test('an answer signs in once, also when it arrives eight times at once (I51, I25)', async () => {
  const { soft } = await addKey(bob);
  const { client, told } = await ask();
  const touched = await touchOf(client, told.ticket, soft, { counter: 0 });
  const before = await sessions();
  const answers = await Promise.all(Array.from({ length: 8 }, () => send(client.copy(), touched)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await sessions()).toBe(before + 1);
});

test('a counter that did not increase is refused, logged and mailed (I53)', async () => {
  const { soft } = await addKey(bob);
  expect((await signIn(soft, { lies: { counter: 7 } })).answer.status).toBe(200);
  for (const counter of [7, 3]) expect(codeOf((await signIn(soft, { lies: { counter } })).answer)).toEqual(REFUSED);
  expect(await eventsOf(app, 'second_factor_failed')).toEqual([
    ['second_factor_failed', bob.email, '{"factor":"passkey"}'],
    ['second_factor_failed', bob.email, '{"factor":"passkey"}'],
  ]);
  expect((await mailsOf(bob)).filter((mail) => mail === 'passkey copied')).toHaveLength(2);
  expect((await signIn(soft, { lies: { counter: 8 } })).answer.status).toBe(200);
});

test('a stolen key signs in to nothing without the password, and opens no vault (I55)', async () => {
  const { soft, stored } = await addKey(bob, { has_prf: true });
  const problem = { code: 'passkey_invalid', details: { purpose: 'factor' } };
  await expect(signInByPasskey(app.guest(), soft)).rejects.toMatchObject(problem);
  const { told } = await ask();
  const guest = app.guest();
  await guest.call(csrfCookie);
  expect(codeOf(await send(guest, { ticket: told.ticket, method: 'passkey' }))[0]).toBe(422);
  const bundle = await bob.call(keyBundle);
  const { masterPassword } = bob;
  const slot = await wrapForPasskey({ bundle, masterPassword, passkey: stored, prf: randomBytes(32), kdf: TEST_KDF });
  const params = { passkeyId: stored.passkey_id };
  const put = { params, body: { slot } as never, headers: { 'if-match': '0' } };
  await expect(callWithProof(app, bob, passkeys.storeWrap, put)).rejects.toMatchObject({ code: 'conflict' });
});

test('it confirms with the password, and neither does so alone (I36, I59)', async () => {
  const { soft } = await addKey(bob);
  app.clock.advance(11 * MINUTE);
  const isFresh = async () =>
    (await bob.request({ path: credentials.createToken.path, json: { token_name: 'script' } })).status === 201;
  const touch = async (with_password: boolean, lies?: Lies) => {
    const { options, options_token } = await bob.call(credentials.confirmOptions, { body: { with_password } });
    return { assertion: answerWith(soft, options.challenge, ORIGIN, lies), options_token };
  };
  const confirm = async (more: object, password?: string) =>
    (await bob.request(confirmOf(bob, { ...more, ...(password === undefined ? {} : { password }) }))).json();
  expect(await bob.call(credentials.confirmWays)).toEqual({
    ways: [{ password: true, factor: ['passkey', 'recovery'] }],
  });
  await expect(touch(false)).rejects.toMatchObject({ code: 'not_found' });
  const wrong = { errors: { assertion: ['The passkey was not accepted'] } };
  expect(await confirm({})).toMatchObject({ errors: { code: ['The code is required.'] } });
  expect(await confirm(await touch(true), '')).toMatchObject(wrong);
  expect(await confirm(await touch(true), 'wrong')).toMatchObject({ errors: { password: ['Password is incorrect'] } });
  expect(await confirm(await touch(true, { challenge: 'AAAA' }))).toMatchObject(wrong);
  expect(await isFresh()).toBe(false);
  const touched = await touch(true, { counter: 9, isVerified: false });
  expect(await confirm(touched)).toMatchObject({ fresh_until: expect.any(String) });
  expect(await isFresh()).toBe(true);
  expect(await confirm(touched)).toMatchObject(wrong);
});

test('removing one of two factors leaves the other; the last one ends the codes, too (I39)', async () => {
  const { soft, stored } = await addKey(bob);
  const { phone } = await guard(app, bob);
  const { client: other } = await signIn(soft);
  await removeKey(bob, stored.passkey_id);
  expect([await isIn(bob), await isIn(other)]).toEqual([true, false]);
  expect(await bob.call(factors.get)).toMatchObject({
    factor_state: 'set',
    passkeys: [],
    recovery_codes: { left: 10 },
  });
  expect((await ask()).told.methods).toEqual(['totp', 'recovery']);

  const again = await addKey(bob);
  const { totp } = await bob.call(factors.get);
  await bob.call(factors.removeTotp, { params: { totpId: totp?.totp_id ?? '' } });
  expect((await ask()).told.methods).toEqual(['passkey', 'recovery']);
  expect(codeOf(await app.guest().request(loginOf(bob, { code: phone.code() })))).toEqual(REFUSED);
  await removeKey(bob, again.stored.passkey_id);
  expect(await bob.call(factors.get)).toMatchObject({ factor_state: 'none', recovery_codes: null });
  expect((await bob.call(me)).sign_in?.factor).toBeNull();
  expect((await app.guest().request(loginOf(bob))).status).toBe(200);
  expect(await eventsOf(app, 'factor_removed')).toEqual(
    ['passkey', 'totp', 'passkey'].map((factor) => ['factor_removed', bob.email, `{"factor":"${factor}"}`]),
  );
  const mails = (await mailsOf(bob)).filter((mail) => mail.includes('removed'));
  expect(mails).toEqual(['one factor removed', 'one factor removed', 'factor removed']);
});

test('where the site asks for a factor, the last one stays and a restricted session can add a key alone (I40)', async () => {
  await guard(app, ada);
  await ada.call(changeSignIn, { body: { second_factor: 'all', second_factor_grace_days: 0 } });
  const passkey = (use: 'sign_in' | 'unlock') => bob.call(passkeys.registrationOptions, { body: { uses: [use] } });
  for (const use of ['sign_in', 'unlock'] as const) {
    await expect(passkey(use)).rejects.toMatchObject({ code: 'second_factor_enrolment_required' });
  }
  const { stored } = await addKey(bob);
  await bob.call(credentials.tokens);
  const before = await everything(app.deps);
  await expect(removeKey(bob, stored.passkey_id)).rejects.toMatchObject({
    code: 'conflict',
    message: 'This site asks for a second factor. Add another one first.',
  });
  expect(await everything(app.deps)).toBe(before);
  const next = await addKey(bob);
  await removeKey(bob, stored.passkey_id);
  expect((await bob.call(factors.get)).passkeys.map(({ passkey_id }) => passkey_id)).toEqual([next.stored.passkey_id]);
});

test('a key of a former host is named, never asked for, and does not count as the last factor (I102)', async () => {
  const { soft, codes } = await addKey(bob);
  await app.deps.db.transact((tx) => tx.updateTable('user_passkeys').set({ rp_id: 'old.example' }).execute());
  const { client, told } = await ask();
  expect(told).toMatchObject({ methods: ['recovery'], passkeys: { usable: 0, elsewhere: ['old.example'] } });
  await expect(touchOf(client, told.ticket, soft)).rejects.toMatchObject({ code: 'not_found' });
  const here = await signInWith(app, bob, codes[0] ?? '');
  await guard(app, here);
  const { totp } = await here.call(factors.get);
  await here.call(factors.removeTotp, { params: { totpId: totp?.totp_id ?? '' } });
  expect(await here.call(factors.get)).toMatchObject({ factor_state: 'none', passkeys: [] });
});

test('after too many wrong codes a key still signs in, and codes work again (I27)', async () => {
  const { soft } = await addKey(bob);
  const { phone } = await guard(app, bob);
  for (let n = 0; n < 5; n += 1) await app.guest().request(loginOf(bob, { code: phone.wrong() }));
  expect((await app.guest().request(loginOf(bob, { code: phone.code() }))).status).toBe(429);
  expect((await signIn(soft)).answer.status).toBe(200);
  await signInWith(app, bob, phone.code());
});

test('where the site switched second factors off, only accounts that have one add a key', async () => {
  await addKey(bob);
  await ada.call(changeSignIn, { body: { second_factor: 'off' } });
  await expect(addKey(ada)).rejects.toMatchObject({
    code: 'conflict',
    message: 'Second factors are switched off on this site',
  });
  await addKey(bob);
});

test('a reset by an admin removes the keys (I44)', async () => {
  const { soft } = await addKey(bob);
  const { recovery_code } = await ada.call(factors.reset, { params: { id: bob.userId } });
  const { client, told } = await ask();
  expect(told).toMatchObject({ methods: ['recovery'], passkeys: { usable: 0, elsewhere: [] } });
  await expect(touchOf(client, told.ticket, soft)).rejects.toMatchObject({ code: 'not_found' });
  const reset = await signInWith(app, bob, recovery_code);
  const { codes } = await addKey(reset);
  expect([codes.length, (await reset.call(me)).restriction]).toEqual([10, undefined]);
});
