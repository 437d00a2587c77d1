/**
 * Ways to sign in, restricted sessions and opening the vault, compared within one run: without the derivations of
 * account passwords (cheap ones in their place), then with the real ones. The server runs in this process and answers
 * one call after the other, each way in turn. Then the policy for 10,000 accounts, which is one transaction.
 *
 * Limits, as shares of the same run by processor time, of all threads, in the fastest tenth of the turns: waiting for a
 * disk or for other programs of the machine is no cost of a sign-in. The code in the same call 1.2 of a sign-in without one, derivation aside; with the
 * derivation 1.05, and 1.18 in a second call. A passkey a third of the account password, and four verifications. `me`
 * with a factor 1.03 of without. A passkey opens the vault in a tenth of the time of the master password. The policy
 * takes less than a second. Restricted sessions have no limit.
 * `sign-in-crowd.bench.ts` measures many sign-ins at once and the callback of single sign-on, `npm run bench` memory and
 * the start, `e2e/frame.e2e.ts` the sign-in page.
 * `npx tsx bench/server/identity.bench.ts [turns]`, default 60.
 */
import * as factors from '@passwordbroker/core/contract/account/factors';
import * as passkeys from '@passwordbroker/core/contract/account/passkeys';
import { me } from '@passwordbroker/core/contract/account/session';
import { changeSignIn } from '@passwordbroker/core/contract/site/site';
import { randomBytes } from '@passwordbroker/core/crypto/bytes';
import { DEFAULT_KDF, KDF_PROFILES } from '@passwordbroker/core/crypto/kdf';
import { createKeyring, unlock, unlockWithPasskey, wrapForPasskey } from '@passwordbroker/core/domain/keyring/keyring';
import { asked, guard, loginOf, STEP, stepOf } from '../../server/src/identity/factors/testing/two-factors.ts';
import { answerWith } from '../../server/src/passkeys/testing/authenticator.ts';
import { addPasskey, FROM_PAGE, ORIGIN, touchOf } from '../../server/src/passkeys/testing/passkeys.ts';
import { readAssertion } from '../../server/src/passkeys/webauthn.ts';
import { type AccountPasswords, accountPasswords, argon2idNative } from '../../server/src/platform/passwords/argon2.ts';
import { startTestApp, type TestApp } from '../../server/src/testing/test-app.ts';
import type { TestClient } from '../../server/src/testing/test-client.ts';
import { TEST_ACCOUNT_PASSWORDS } from '../../server/src/testing/test-person.ts';
import { answered, browser } from '../tools/sign-ins.ts';
import { percentile, printTable } from '../tools/table.ts';

const turns = Number(process.argv[2] ?? 60);
const ACCOUNTS = 10_000;
/** Turns that fill caches and load libraries. */
const UNMEASURED = 5;

interface Turn {
  readonly ms: number;
  /** Processor time in ms, of all threads. */
  readonly cpu: number;
}

/** By way, of the present part. */
const measured = new Map<string, Turn[]>();

async function timed<T>(way: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  const before = process.cpuUsage();
  const value = await work();
  const { user, system } = process.cpuUsage(before);
  const turn = { ms: performance.now() - started, cpu: (user + system) / 1000 };
  measured.set(way, [...(measured.get(way) ?? []), turn]);
  return value;
}

const timesOf = (turns: readonly Turn[]) => turns.map(({ ms }) => ms);
const costOf = (way: string) =>
  percentile(
    (measured.get(way) ?? []).map(({ cpu }) => cpu),
    0.1,
  );

/** @param limits the way, what it is compared with, and the highest share of that */
function report(title: string, limits: readonly (readonly [way: string, base: string, most: number])[]): void {
  printTable(
    title,
    [...measured].map(([way, turnsOfWay]) => ({
      way,
      'cpu ms': costOf(way),
      'p50 ms': percentile(timesOf(turnsOfWay), 0.5),
      'p95 ms': percentile(timesOf(turnsOfWay), 0.95),
    })),
  );
  for (const [way, base, most] of limits) {
    const share = costOf(way) / costOf(base);
    console.log(`${way} / ${base}: ${share.toFixed(2)}, at most ${most.toFixed(2)}: ${share <= most ? 'yes' : 'NO'}`);
  }
}

async function inTurns(work: () => Promise<void>): Promise<void> {
  for (let turn = 0; turn < UNMEASURED + turns; turn += 1) {
    if (turn === UNMEASURED) measured.clear();
    await work();
  }
}

/** Whose ways to sign in differ, in one site. */
async function people(app: TestApp) {
  const admin = await app.signUp('ada');
  const { phone: adminPhone } = await guard(app, admin);
  const [plain, coded, keyed, alone] = [
    await app.signUp('bob'),
    await app.signUp('carol'),
    await app.signUp('dave'),
    await app.signUp('eve'),
  ];
  const { phone } = await guard(app, coded);
  const { soft: key } = await addPasskey(keyed, 'factor');
  const { soft: passkey, stored } = await addPasskey(alone, 'sign_in');
  const row = await app.deps.db.read
    .selectFrom('user_passkeys')
    .select(['credential_id', 'public_key'])
    .where('passkey_id', '=', stored.passkey_id)
    .executeTakeFirstOrThrow();
  return { admin, adminPhone, plain, coded, keyed, phone, key, passkey, row };
}

async function signIns(app: TestApp, title: string, limits: Parameters<typeof report>[1]): Promise<Site> {
  const site = await people(app);
  const { plain, coded, keyed, phone, key, passkey, row } = site;
  const asWho = (way: string, client: TestClient) => timed(way, () => client.call(me));
  await inTurns(async () => {
    const without = await browser(app);
    await timed('password', () => answered(without, loginOf(plain)));
    await asWho('me, without a factor', without);

    app.clock.advance(STEP);
    const oneCall = await browser(app);
    await timed('password and code, one call', () => answered(oneCall, loginOf(coded, { code: phone.code() })));
    await asWho('me, with a factor', oneCall);

    app.clock.advance(STEP);
    const twoCalls = await browser(app);
    await timed('password, then code', async () => {
      const { ticket } = asked(await answered(twoCalls, loginOf(coded), 401));
      await answered(twoCalls, stepOf(ticket, phone.code()));
    });

    const touched = await browser(app);
    await timed('password, then security key', async () => {
      const { ticket } = asked(await answered(touched, loginOf(keyed, {}, FROM_PAGE), 401));
      await answered(touched, { path: factors.loginFactor.path, json: await touchOf(touched, ticket, key) });
    });

    const withPasskey = await browser(app);
    await timed('passkey', async () => {
      const { options, options_token } = await withPasskey.call(passkeys.signInOptions);
      const assertion = answerWith(passkey, options.challenge, ORIGIN);
      await answered(withPasskey, { path: passkeys.signIn.path, json: { assertion, options_token } });
    });

    const challenge = 'AAAA';
    const assertion = answerWith(passkey, challenge, ORIGIN);
    const expected = { challenge, origin: ORIGIN, rpId: 'localhost', needsVerification: true };
    const counter = await timed('verification alone', () => readAssertion(assertion, row, expected));
    if (counter === null) throw new Error('The assertion was not accepted');
  });
  report(title, limits);
  return site;
}

type Site = Awaited<ReturnType<typeof people>>;

/** Sessions that may only set up a second factor, next to full ones of the same site. */
async function restricted(app: TestApp, { admin, adminPhone, plain }: Site): Promise<void> {
  app.clock.advance(STEP);
  const full = await browser(app);
  await answered(full, loginOf(admin, { code: adminPhone.code() }));
  await full.call(changeSignIn, { body: { second_factor: 'all', second_factor_grace_days: 0 } });
  await inTurns(async () => {
    const client = await browser(app);
    await timed('password, restricted', () => answered(client, loginOf(plain)));
    const { restriction } = await timed('me, restricted', () => client.call(me));
    if (restriction !== 'second factor') throw new Error('The session is not restricted');
    await timed('a refused call', () => answered(client, { path: '/passwordBroker/api/entryGroups' }, 403));
    await timed('me, full', () => full.call(me));
  });
  report('Restricted sessions', []);
}

/** The policy for many accounts without a factor. */
async function policy(app: TestApp): Promise<void> {
  const admin = await app.signUp('ada');
  await guard(app, admin);
  const { user_id, ...account } = await app.deps.db.read
    .selectFrom('users')
    .selectAll()
    .where('user_id', '=', admin.userId)
    .executeTakeFirstOrThrow();
  const others = Array.from({ length: ACCOUNTS }, (_one, at) => ({
    ...account,
    first_user: null,
    is_admin: 0 as const,
    factor_state: 'none' as const,
    user_id: app.deps.newId(),
    name: `Person ${at}`,
    name_key: `person ${at}`,
    email: `person${at}@example.com`,
    email_key: `person${at}@example.com`,
  }));
  await app.deps.db.transact(async (tx) => {
    for (let at = 0; at < ACCOUNTS; at += 250) {
      await tx
        .insertInto('users')
        .values(others.slice(at, at + 250))
        .execute();
    }
  });
  const started = performance.now();
  const { without_factor } = await admin.call(changeSignIn, { body: { second_factor: 'all' } });
  const took = performance.now() - started;
  if (without_factor !== ACCOUNTS) throw new Error(`${without_factor} accounts, not those of ${user_id} and others`);
  console.log(`\npolicy for ${ACCOUNTS} accounts: ${took.toFixed(0)} ms, under 1000 ms: ${took < 1000 ? 'yes' : 'NO'}`);
}

/** With the real derivation, native as on the server: the one of browsers takes longer. */
async function opening(): Promise<void> {
  measured.clear();
  const kdf = { profiles: KDF_PROFILES, defaultProfile: DEFAULT_KDF, argon2id: argon2idNative };
  const [userId, masterPassword] = [crypto.randomUUID(), 'a master password of the bench'];
  const { keyring, bundle: made } = await createKeyring({ userId, masterPassword, kdf });
  const bundle = { ...made, user_id: userId, certificate: { ...made.certificate, fpr: keyring.fingerprint } };
  const passkey = {
    passkey_id: crypto.randomUUID(),
    credential_id: Buffer.from(randomBytes(32)).toString('base64url'),
  };
  const prf = randomBytes(32);
  const slot = await wrapForPasskey({
    bundle,
    masterPassword,
    passkey: { ...passkey, rp_id: 'localhost' },
    prf,
    kdf,
  });
  const locked = { ...bundle, passkeys: [{ ...slot, ...passkey, rp_id: 'localhost', name: '', version: 1 }] };
  await inTurns(async () => {
    await timed('master password', () => unlock({ bundle: locked, masterPassword, kdf }));
    await timed('passkey opens', () => unlockWithPasskey({ bundle: locked, slotId: slot.slot_id, prf }));
  });
  report('Opening the vault', [['passkey opens', 'master password', 0.1]]);
}

async function inSite(passwords: AccountPasswords, work: (app: TestApp) => Promise<void>): Promise<void> {
  const app = await startTestApp({ accountPasswords: passwords });
  try {
    await work(app);
  } finally {
    await app.stop();
  }
}

await inSite(TEST_ACCOUNT_PASSWORDS, async (app) => {
  const site = await signIns(app, 'Signing in, derivation aside', [
    ['password and code, one call', 'password', 1.2],
    ['me, with a factor', 'me, without a factor', 1.03],
    ['passkey', 'verification alone', 4],
  ]);
  await restricted(app, site);
});
await inSite(accountPasswords(), async (app) => {
  await signIns(app, 'Signing in, with the derivation', [
    ['password and code, one call', 'password', 1.05],
    ['password, then code', 'password', 1.18],
    ['passkey', 'password', 1 / 3],
  ]);
});
await opening();
await inSite(TEST_ACCOUNT_PASSWORDS, policy);
