/** Signing in with a second factor, by cookie and by token, and a session that may only set one up. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { confirmPassword } from '@passwordbroker/core/contract/account/credentials';
import { tree } from '@passwordbroker/core/contract/groups/entry-groups';
import { changeSignIn } from '@passwordbroker/core/contract/site/site';
import { register } from '@passwordbroker/core/contract/users/users';
import { AppError } from '@passwordbroker/core/contract/problem';
import { guard, type Guarded, STEP } from '../../../server/src/identity/factors/testing/two-factors.ts';
import { answerWith } from '../../../server/src/passkeys/testing/authenticator.ts';
import { addPasskey, ORIGIN } from '../../../server/src/passkeys/testing/passkeys.ts';
import { signUpBody, type TestApp } from '../../../server/src/testing/test-app.ts';
import type { TestClient } from '../../../server/src/testing/test-client.ts';
import { testPerson } from '../../../server/src/testing/test-person.ts';
import type { TokenRecord } from '../platform.ts';
import { loadNow } from '../testing/load-now.ts';
import { type RealVault, vaultOf } from '../testing/real-vault.node.ts';
import { MIRA, withBrowser } from '../testing/signed-out-browser.node.ts';
import { noCopies, otherServers } from '../testing/signs-in-here.ts';
import { onlyTab } from '../testing/tabs-of-one-browser.ts';
import { AnswerError } from '../transport/answers.ts';
import { askedFactor, proveFactor, securityKeyQuestion } from './second-step.ts';
import { createSession, type Session } from './session.ts';

let app: TestApp;
let real: RealVault;
let session: Session;
const openBrowser = withBrowser((browser) => ({ app, real, session } = browser));

let admin: TestClient;
let guarded: Guarded;
beforeAll(async () => {
  admin = openBrowser();
  await session.check();
  await session.signUp(MIRA);
  guarded = await guard(app, admin);
});
// A code works once.
beforeEach(() => app.clock.advance(2 * STEP));

/** The refusal of a sign-in. */
const refusalOf = async (signIn: Promise<void>): Promise<AppError> => {
  const refused: unknown = await signIn.then(
    () => null,
    (failure: unknown) => failure,
  );
  if (!(refused instanceof AppError)) throw new Error('not refused');
  return refused;
};
const proofOf = (code: string) => ({ method: 'totp', code, remember: false }) as const;

test('the right password asks for a code; a wrong one is refused, the right one signs in', async () => {
  await session.check();
  const refusal = await refusalOf(session.logIn(MIRA.email, MIRA.password));
  expect(refusal.code).toBe('second_factor_required');
  expect(session.view()).toMatchObject({ status: 'login', user: null });
  const asked = askedFactor(refusal);
  expect(asked).toMatchObject({ methods: ['totp', 'recovery'], recovery_codes_left: 10, can_remember: false });
  const page = { http: real.http, session };
  await expect(proveFactor(page, asked, proofOf(guarded.phone.wrong()))).rejects.toMatchObject({
    code: 'second_factor_invalid',
  });
  expect(await proveFactor(page, asked, proofOf(guarded.phone.code()))).toEqual({ recoveryCodesLeft: 10 });
  expect(session.view()).toMatchObject({ status: 'logged-in', user: { email: MIRA.email, factor_state: 'set' } });
  expect(await real.http.call(tree)).toBeDefined();
});

test('at another server the second step brings the token that the browser keeps', async () => {
  const kept = new Map<string, TokenRecord>();
  const { http, keyring } = vaultOf(app.guest());
  const page = createSession({
    http,
    keyring,
    tabs: onlyTab(),
    servers: otherServers(kept, { chosen: null, clientId: 'phone' }),
    local: noCopies(),
    load: loadNow,
  });
  await page.check();
  // An empty origin, so that requests reach the server of this test.
  const asked = askedFactor(await refusalOf(page.logInAt('', MIRA.email, MIRA.password)));
  await proveFactor({ http, session: page }, asked, proofOf(guarded.phone.code()));
  expect(kept.get('')?.token).toMatch(/^pbt_/);
  expect(page.view()).toMatchObject({ status: 'logged-in', user: { email: MIRA.email } });
});

test('a security key answers the question of the ticket', async () => {
  await admin.call(confirmPassword, { body: { password: MIRA.password, code: guarded.phone.code() } });
  const { soft } = await addPasskey(admin, 'factor');
  openBrowser();
  await session.check();
  const asked = askedFactor(await refusalOf(session.logIn(MIRA.email, MIRA.password)));
  const page = { http: real.http, session };
  const { options, options_token } = await securityKeyQuestion(page, asked);
  expect(options).toMatchObject({ userVerification: 'preferred', allowCredentials: [{ id: soft.id }] });
  const assertion = answerWith(soft, options.challenge, ORIGIN);
  const proof = { method: 'passkey', options_token, remember: false } as const;
  const other = { ...assertion, response: { ...assertion.response, signature: 'AAAA' } };
  await expect(proveFactor(page, asked, { ...proof, assertion: other })).rejects.toMatchObject({
    code: 'second_factor_invalid',
    message: 'The passkey was not accepted',
  });
  expect(await proveFactor(page, asked, { ...proof, assertion })).toEqual({ recoveryCodesLeft: 10 });
  expect(session.view()).toMatchObject({ status: 'logged-in', user: { email: MIRA.email } });
});

test('ways of a newer server are left out, and a refusal without a ticket is no answer', () => {
  const details = {
    ticket: 't',
    expires_at: 'e',
    methods: ['retina', 'recovery', 'totp'],
    recovery_codes_left: 3,
    can_remember: true,
    remember_days: 30,
  };
  const asked = askedFactor(new AppError('second_factor_required', { details }));
  // An older server names no passkeys.
  const passkeys = { usable: 0, elsewhere: [] };
  expect(asked).toEqual({ ...details, methods: ['totp', 'recovery'], passkeys });
  const { ticket: _, ...rest } = details;
  for (const other of [rest, { ...details, methods: 'totp' }, { ...details, remember_days: '30' }])
    expect(() => askedFactor(new AppError('second_factor_required', { details: other }))).toThrow(AnswerError);
});

test('a session learns that the site demands a second factor, and that it has one', async () => {
  await admin.call(changeSignIn, { body: { second_factor: 'optional' } });
  const ilse = await testPerson('ilse');
  await admin.call(register, { body: { user: signUpBody(ilse) } });
  const client = openBrowser();
  await session.check();
  await session.logIn(ilse.email, ilse.password);
  expect(session.view().restriction).toBeUndefined();
  await admin.call(changeSignIn, { body: { second_factor: 'all', second_factor_grace_days: 0 } });
  await expect(real.http.call(tree)).rejects.toMatchObject({ code: 'second_factor_enrolment_required' });
  await expect.poll(() => session.view()).toMatchObject({ status: 'logged-in', restriction: 'second factor' });
  await guard(app, client);
  await session.refresh();
  expect(session.view()).toMatchObject({ status: 'logged-in', user: { factor_state: 'set' } });
  expect(session.view().restriction).toBeUndefined();
  expect(await real.http.call(tree)).toBeDefined();
});
