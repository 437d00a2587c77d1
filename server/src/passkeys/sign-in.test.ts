/** Sign-in with a passkey alone (I50–I55): every refusal is the same and grants nothing. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as passkeys from '@passwordbroker/core/contract/account/passkeys';
import { createToken, tokens } from '@passwordbroker/core/contract/account/credentials';
import { csrfCookie, me } from '@passwordbroker/core/contract/account/session';
import * as people from '@passwordbroker/core/contract/users/people';
import { get as getFactors, removeTotp, reset } from '@passwordbroker/core/contract/account/factors';
import { changeNetworks, changeSettings } from '@passwordbroker/core/contract/site/site';
import { eventsOf, guard, startWithMail, waitingMails } from '../identity/factors/testing/two-factors.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import type { TestClient } from '../testing/test-client.ts';
import { answerWith, type SoftPasskey } from './testing/authenticator.ts';
import { addPasskey, ORIGIN, signInByPasskey } from './testing/passkeys.ts';

const MINUTE = 60_000;

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
beforeEach(async () => {
  ({ app, ada, bob } = await startWithMail());
});
afterEach(() => app.stop());

async function browser(): Promise<TestClient> {
  const guest = app.guest();
  await guest.call(csrfCookie);
  return guest;
}

async function signIn(soft: SoftPasskey, lies: Parameters<typeof answerWith>[3] = {}) {
  const client = app.guest();
  return { client, answer: await signInByPasskey(client, soft, { lies }) };
}

const REFUSED = { code: 'passkey_invalid', message: 'This passkey cannot sign in here.', details: undefined };
const sessions = async () => (await app.deps.db.read.selectFrom('sessions').select('session_id').execute()).length;

const detailsOf = async (event: 'login' | 'second_factor_failed') =>
  (await eventsOf(app, event)).filter(([, login]) => login === bob.email).map(([, , details]) => details);

async function refused(act: () => Promise<unknown>, problem: object = REFUSED): Promise<void> {
  const before = await sessions();
  await expect(act()).rejects.toMatchObject(problem);
  expect(await sessions()).toBe(before);
}

test('I50: it signs in without a password and stands for the second factor; the session says how it began', async () => {
  const { soft, stored, options } = await addPasskey(bob);
  expect(stored).toMatchObject({ uses: ['sign_in'], wrap_version: 0 });
  expect(options).toMatchObject({
    user: { name: bob.email, id: Buffer.from(`${bob.userId.replaceAll('-', '')}00`, 'hex').toString('base64url') },
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  const { client, answer } = await signIn(soft);
  expect(answer.user).toMatchObject({ user_id: bob.userId });
  const who = await client.call(me);
  expect(who).toMatchObject({ user: { user_id: bob.userId }, sign_in: { method: 'passkey', factor: 'passkey' } });
  // It counts as a fresh sign-in.
  await client.call(createToken, { body: { token_name: 'script' } });
  expect(await detailsOf('login')).toContain('{"method":"passkey","factor":"passkey"}');
  // A session and no key: the vault stays locked.
  expect(Object.keys(answer)).toEqual(['message', 'user']);
});

test('I50: a request for options writes nothing', async () => {
  const client = await browser();
  const { options } = await client.call(passkeys.signInOptions);
  expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
  expect(await app.deps.db.read.selectFrom('used_challenges').selectAll().execute()).toEqual([]);
});

test('I50–I52: another challenge, origin, host, handle, browser, an old challenge, no verification: one refusal', async () => {
  const { soft } = await addPasskey(bob);
  const { soft: other } = await addPasskey(ada);
  for (const lies of [
    { challenge: 'AAAA' },
    { origin: 'https://evil.example' },
    { rpId: 'evil.example' },
    { crossOrigin: true },
    { isVerified: false },
    { type: 'webauthn.create' },
    { userHandle: other.userHandle },
  ]) {
    await refused(() => signIn(soft, lies));
  }
  // Signed by the key of somebody else.
  await refused(() => signIn({ ...other, id: soft.id, userHandle: soft.userHandle }));
  await refused(() => signIn({ ...soft, id: 'AAAA' }));
  const [one, two] = [await browser(), await browser()];
  const asked = await one.call(passkeys.signInOptions);
  const assertion = answerWith(soft, asked.options.challenge, ORIGIN);
  const body = { assertion, options_token: asked.options_token };
  await refused(() => two.call(passkeys.signIn, { body }));
  app.clock.advance(10 * MINUTE);
  await refused(() => one.call(passkeys.signIn, { body }));
});

test('I51: an assertion signs in once, also when it arrives eight times at once', async () => {
  const { soft } = await addPasskey(bob);
  const client = await browser();
  const { options, options_token } = await client.call(passkeys.signInOptions);
  // No counter: only the challenge tells the requests apart.
  const body = { assertion: answerWith(soft, options.challenge, ORIGIN, { counter: 0 }), options_token };
  const before = await sessions();
  const answers = await Promise.allSettled(
    Array.from({ length: 8 }, () => client.copy().call(passkeys.signIn, { body })),
  );
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await sessions()).toBe(before + 1);
});

test('an unknown link ticket is refused before the passkey is judged', async () => {
  const { soft } = await addPasskey(bob);
  const more = { link_ticket: `pbl_l${'A'.repeat(43)}` };
  for (const lies of [{}, { challenge: 'AAAA' }]) {
    await refused(() => signInByPasskey(app.guest(), soft, { lies, more }), { code: 'ticket_invalid' });
  }
  expect(await eventsOf(app, 'login_failed')).toEqual([]);
});

test('a site admin from an address that is not admitted is refused and logged, as after a password', async () => {
  const { soft } = await addPasskey(ada);
  await ada.call(changeNetworks, { body: { admin_networks: '127.0.0.1/32' } });
  const client = await browser();
  const { options, options_token } = await client.call(passkeys.signInOptions);
  const json = { assertion: answerWith(soft, options.challenge, ORIGIN), options_token };
  expect((await client.request({ path: passkeys.signIn.path, json, address: '192.0.2.7' })).status).toBe(403);
  expect(await eventsOf(app, 'login_failed')).toEqual([['login_failed', ada.email, '{"reason":"address"}']]);
});

test('a passkey counts as the second factor of a session and a token until the last one is removed', async () => {
  const first = await addPasskey(bob);
  const { client } = await signIn(first.soft);
  await client.call(createToken, { body: { token_name: 'script' } });
  const factorsOf = async (one: TestClient) => [
    (await one.call(me)).sign_in?.factor,
    ...(await one.call(tokens)).map(({ factor }) => factor),
  ];
  // An authenticator app that comes and goes changes nothing.
  await guard(app, client, { revoke_tokens: false });
  const { totp } = await client.call(getFactors);
  await client.call(removeTotp, { params: { totpId: totp?.totp_id ?? '' } });
  expect(await factorsOf(client)).toEqual(['passkey', 'passkey']);
  const second = await addPasskey(client);
  const remove = ({ stored }: typeof first) =>
    client.call(passkeys.remove, { params: { passkeyId: stored.passkey_id } });
  await remove(first);
  expect(await factorsOf(client)).toEqual(['passkey', 'passkey']);
  await remove(second);
  expect(await factorsOf(client)).toEqual([null, null]);
});

test('beside an authenticator app, removing the last passkey leaves the present session', async () => {
  const { soft, stored } = await addPasskey(bob);
  const { client } = await signIn(soft);
  await guard(app, client);
  await client.call(passkeys.remove, { params: { passkeyId: stored.passkey_id } });
  expect(await client.call(me)).toMatchObject({ sign_in: { method: 'passkey', factor: 'passkey' } });
});

test('I53: a counter that is behind is refused, logged and mailed', async () => {
  const { soft } = await addPasskey(bob);
  await signIn(soft, { counter: 7 });
  await refused(() => signIn(soft, { counter: 7 }));
  await refused(() => signIn(soft, { counter: 3 }));
  await signIn(soft, { counter: 8 });
  expect(await detailsOf('second_factor_failed')).toEqual(['{"factor":"passkey"}', '{"factor":"passkey"}']);
  const mails = (await waitingMails(app)).filter((mail) => mail.startsWith(bob.email));
  expect(mails.map((mail) => mail.slice(bob.email.length + 2))).toEqual(
    expect.arrayContaining(['sign-in passkey added', 'new device', 'passkey copied']),
  );
});

test('I55: a passkey that opens the vault does not sign in, and one that signs in gets no wrap', async () => {
  const { soft, stored } = await addPasskey(bob, 'unlock');
  await refused(() => signIn(soft), { code: 'passkey_invalid', details: { purpose: 'unlock' } });
  await refused(() => signIn(soft, { origin: 'https://evil.example' }));
  expect(stored.uses).toEqual([]);
  const apart = { code: 'conflict', message: 'This site keeps the two apart: use another passkey' };
  const uses = ['sign_in', 'unlock'] as const;
  await refused(() => bob.call(passkeys.registrationOptions, { body: { uses: [...uses] } }), apart);
});

test('I54: not for a disabled account, a removed passkey, or after a reset of the second factors', async () => {
  const { soft } = await addPasskey(bob);
  await ada.call(people.setDisabled, { params: { id: bob.userId }, body: { status: true } });
  await refused(() => signIn(soft));
  await ada.call(people.setDisabled, { params: { id: bob.userId }, body: { status: false } });
  await signIn(soft);
  await ada.call(reset, { params: { id: bob.userId } });
  await refused(() => signIn(soft));
  const own = await addPasskey(ada);
  const { client } = await signIn(own.soft);
  await ada.call(passkeys.remove, { params: { passkeyId: own.stored.passkey_id } });
  await refused(() => signIn(own.soft));
  // It may have begun other sessions.
  expect(await client.call(me)).toMatchObject({ message: 'guest' });
});

test('I54: where it is switched off, passkeys neither sign in nor are made for it', async () => {
  const { soft } = await addPasskey(bob);
  const client = await browser();
  const { options, options_token } = await client.call(passkeys.signInOptions);
  await ada.call(changeSettings, { body: { passkey_sign_in: 'off' } });
  await refused(() => client.call(passkeys.signInOptions), { code: 'not_found' });
  const body = { assertion: answerWith(soft, options.challenge, ORIGIN), options_token };
  await refused(() => client.call(passkeys.signIn, { body }));
  await refused(() => addPasskey(bob), { code: 'forbidden', message: 'On this site, passkeys do not sign in.' });
  expect((await bob.call(passkeys.listAll)).can_sign_in).toBe(false);
});

test('I50: failures count for the address, as wrong passwords do', async () => {
  const { soft } = await addPasskey(bob);
  for (let failure = 0; failure < 60; failure += 1) await refused(() => signIn(soft, { challenge: 'AAAA' }));
  await refused(() => signIn(soft), { code: 'too_many_requests' });
});
