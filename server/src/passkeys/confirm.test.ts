/** Confirming a sensitive operation with a passkey that signs in (I59). */
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  confirmOptions,
  confirmPassword,
  confirmWays,
  createToken,
} from '@passwordbroker/core/contract/account/credentials';
import * as passkeys from '@passwordbroker/core/contract/account/passkeys';
import { changeSettings } from '@passwordbroker/core/contract/site/site';
import { startTestApp, type SignedIn, type TestApp } from '../testing/test-app.ts';
import { answerWith, type SoftPasskey } from './testing/authenticator.ts';
import { addPasskey, ORIGIN } from './testing/passkeys.ts';

const MINUTE = 60_000;

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
beforeEach(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
  bob = await app.signUp('bob');
});
afterEach(() => app.stop());

type Lies = Parameters<typeof answerWith>[3];

async function confirm(soft: SoftPasskey, lies: Lies = {}) {
  const { options, options_token } = await bob.call(confirmOptions);
  const assertion = answerWith(soft, options.challenge, ORIGIN, lies);
  return bob.call(confirmPassword, { body: { assertion, options_token } });
}

const isFresh = () =>
  bob.call(createToken, { body: { token_name: 'script' } }).then(
    () => true,
    () => false,
  );
const REFUSED = { code: 'validation', errors: { assertion: ['The passkey was not accepted'] } };

test('I59: a passkey that signs in confirms in place of the password, for ten minutes', async () => {
  const { soft } = await addPasskey(bob);
  app.clock.advance(11 * MINUTE);
  expect(await isFresh()).toBe(false);
  expect(await bob.call(confirmWays)).toEqual({ ways: [{ password: true, factor: [] }, { passkey: true }] });
  const { options } = await bob.call(confirmOptions);
  expect(options).toMatchObject({ userVerification: 'required', allowCredentials: [{ id: soft.id }] });
  await confirm(soft);
  expect(await isFresh()).toBe(true);
  app.clock.advance(11 * MINUTE);
  expect(await isFresh()).toBe(false);
  // Some authenticators name no user if the options name passkeys.
  const asked = await bob.call(confirmOptions);
  const assertion = answerWith(soft, asked.options.challenge, ORIGIN);
  const response = { ...assertion.response, userHandle: undefined };
  await bob.call(confirmPassword, {
    body: { assertion: { ...assertion, response }, options_token: asked.options_token },
  });
  expect(await isFresh()).toBe(true);
});

test('I59: not without verification, with another person’s passkey, a challenge of a sign-in, or twice', async () => {
  const { soft } = await addPasskey(bob);
  const { soft: other } = await addPasskey(ada);
  app.clock.advance(11 * MINUTE);
  for (const lies of [{ isVerified: false }, { origin: 'https://evil.example' }, { challenge: 'AAAA' }]) {
    await expect(confirm(soft, lies)).rejects.toMatchObject(REFUSED);
  }
  await expect(confirm(other)).rejects.toMatchObject(REFUSED);
  const asked = await bob.call(passkeys.signInOptions);
  const ofSignIn = { assertion: answerWith(soft, asked.options.challenge, ORIGIN), options_token: asked.options_token };
  await expect(bob.call(confirmPassword, { body: ofSignIn })).rejects.toMatchObject(REFUSED);
  await expect(bob.call(confirmPassword, { body: {} })).rejects.toMatchObject({
    errors: { password: ['Password is incorrect'] },
  });
  expect(await isFresh()).toBe(false);

  const { options, options_token } = await bob.call(confirmOptions);
  const body = { assertion: answerWith(soft, options.challenge, ORIGIN), options_token };
  await bob.call(confirmPassword, { body });
  await expect(bob.call(confirmPassword, { body })).rejects.toMatchObject(REFUSED);
});

test('I59: no passkey confirms that only opens the vault, or while the site switched it off', async () => {
  await addPasskey(bob, 'unlock');
  await expect(bob.call(confirmOptions)).rejects.toMatchObject({ code: 'not_found' });
  const { soft } = await addPasskey(bob);
  const { options, options_token } = await bob.call(confirmOptions);
  await ada.call(changeSettings, { body: { passkey_sign_in: 'off' } });
  const body = { assertion: answerWith(soft, options.challenge, ORIGIN), options_token };
  await expect(bob.call(confirmPassword, { body })).rejects.toMatchObject(REFUSED);
  expect(await bob.call(confirmWays)).toEqual({ ways: [{ password: true, factor: [] }] });
});
