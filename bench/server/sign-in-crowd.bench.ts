/**
 * Eight sign-ins at once, with the real derivation of account passwords: how many each way admits in the time of others of the
 * same run, by the median of the turns. Then the callback of single sign-on without what its provider costs, next to a
 * sign-in by account password without its derivation, one call after the other, by processor time.
 *
 * Limits: a sign-in by password at least 0.93 of the rate of the bare derivations; with the code in the same call 0.95
 * and in a second call 0.85 of the rate without a code; by passkey three times the rate of the password. The callback at
 * most twice the sign-in without its derivation.
 * `npx tsx bench/server/sign-in-crowd.bench.ts [turns]`, default 60.
 */
import * as passkeys from '@passwordbroker/core/contract/account/passkeys';
import { asked, guard, loginOf, STEP, stepOf } from '../../server/src/identity/factors/testing/two-factors.ts';
import { comeBack, startSsoApp, urlFor } from '../../server/src/identity/sso/testing/sso-app.ts';
import { answerWith } from '../../server/src/passkeys/testing/authenticator.ts';
import { addPasskey, ORIGIN } from '../../server/src/passkeys/testing/passkeys.ts';
import { accountPasswords } from '../../server/src/platform/passwords/argon2.ts';
import { startTestApp, type TestApp } from '../../server/src/testing/test-app.ts';
import { answered, browser } from '../tools/sign-ins.ts';
import { percentile, printTable } from '../tools/table.ts';

const turns = Number(process.argv[2] ?? 60);
const AT_ONCE = 8;
/** Turns that fill caches and load libraries. */
const UNMEASURED = 5;

const among = <T>(make: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: AT_ONCE }, (_one, at) => make(at)));

/** The queue of derivations admits few at once from one network. */
const from = (at: number) => ({ address: `192.0.2.${at + 1}` });

function verdict(what: string, share: number, limit: number, isEnough: boolean): void {
  console.log(`${what}: ${share.toFixed(2)}, asked for ${limit.toFixed(2)}: ${isEnough ? 'yes' : 'NO'}`);
}

/** Three people for each sign-in at once: with a password, with a code beside it, and with a passkey. */
async function three(app: TestApp, at: number) {
  const [plain, coded, alone] = [
    await app.signUp(`plain${at}`),
    await app.signUp(`coded${at}`),
    await app.signUp(`alone${at}`),
  ];
  const { phone } = await guard(app, coded);
  return { plain, coded, phone, passkey: (await addPasskey(alone, 'sign_in')).soft };
}

async function crowd(app: TestApp): Promise<void> {
  await app.signUp('ada');
  const people: Awaited<ReturnType<typeof three>>[] = [];
  for (let at = 0; at < AT_ONCE; at += 1) people.push(await three(app, at));
  const { derivations, accountPasswords: passwords } = app.deps;
  const person = (at: number) => people[at]!;
  const times = new Map<string, number[]>();

  for (let turn = 0; turn < UNMEASURED + turns; turn += 1) {
    if (turn === UNMEASURED) times.clear();
    const timed = async (way: string, work: (at: number) => Promise<unknown>) => {
      const started = performance.now();
      await among(work);
      times.set(way, [...(times.get(way) ?? []), performance.now() - started]);
    };
    const [first, second, third, fourth] = [
      await among(() => browser(app)),
      await among(() => browser(app)),
      await among(() => browser(app)),
      await among(() => browser(app)),
    ];
    await timed('derivation alone', (at) =>
      derivations.run(`bench ${at}`, () => passwords.verify(passwords.dummy, 'a password')),
    );
    await timed('password', (at) => answered(first[at]!, loginOf(person(at).plain, {}, from(at))));
    app.clock.advance(STEP);
    await timed('password and code, one call', (at) =>
      answered(second[at]!, loginOf(person(at).coded, { code: person(at).phone.code() }, from(at))),
    );
    app.clock.advance(STEP);
    await timed('password, then code', async (at) => {
      const { ticket } = asked(await answered(third[at]!, loginOf(person(at).coded, {}, from(at)), 401));
      await answered(third[at]!, { ...stepOf(ticket, person(at).phone.code()), ...from(at) });
    });
    await timed('passkey', async (at) => {
      const { options, options_token } = await fourth[at]!.call(passkeys.signInOptions);
      const assertion = answerWith(person(at).passkey, options.challenge, ORIGIN);
      await answered(fourth[at]!, { path: passkeys.signIn.path, json: { assertion, options_token }, ...from(at) });
    });
  }

  const median = (way: string) => percentile(times.get(way) ?? [], 0.5);
  const rateOf = (way: string) => (AT_ONCE * 1000) / median(way);
  printTable(
    `Signing in, ${AT_ONCE} at once`,
    [...times.keys()].map((way) => ({ way, 'p50 of all eight, ms': median(way), 'in a second': rateOf(way) })),
  );
  const limits = [
    ['password', 'derivation alone', 0.93],
    ['password and code, one call', 'password', 0.95],
    ['password, then code', 'password', 0.85],
    ['passkey', 'password', 3],
  ] as const;
  for (const [way, base, least] of limits) {
    const share = rateOf(way) / rateOf(base);
    verdict(`rate of ${way} / ${base}`, share, least, share >= least);
  }
}

/** Processor time in ms, of all threads. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The accounts of a test derive cheaply; the provider runs in this process, and what it uses is taken off. */
async function callback(): Promise<void> {
  const site = await startSsoApp();
  const { app, provider, ada } = site;
  let ofProvider = 0;
  provider.misbehave = (_request, response) => {
    const began = processorTime();
    response.once('close', () => (ofProvider += processorTime() - began));
    return false;
  };
  const [passwords, callbacks]: [number[], number[]] = [[], []];
  const derivation = async () => {
    const began = processorTime();
    await app.deps.accountPasswords.verify(app.deps.accountPasswords.dummy, 'a password');
    return processorTime() - began;
  };
  try {
    for (let turn = 0; turn < UNMEASURED + turns; turn += 1) {
      const [byPassword, byProvider] = [await browser(app), await browser(app)];
      const derived = await derivation();
      const began = processorTime();
      await answered(byPassword, loginOf(ada));
      const password = processorTime() - began - derived;
      const query = provider.signIn(await urlFor(byProvider));
      ofProvider = 0;
      const started = processorTime();
      const { status, text } = await comeBack(byProvider, query);
      const took = processorTime() - started - ofProvider;
      if (status !== 200) throw new Error(text);
      if (turn < UNMEASURED) continue;
      passwords.push(password);
      callbacks.push(took);
    }
  } finally {
    await site.stop();
  }
  const [base, cost] = [percentile(passwords, 0.1), percentile(callbacks, 0.1)];
  printTable('Callback of single sign-on', [
    { way: 'password, derivation aside', 'cpu ms': base },
    { way: 'callback, provider left out', 'cpu ms': cost },
  ]);
  verdict('callback / password', cost / base, 2, cost / base <= 2);
}

const app = await startTestApp({ accountPasswords: accountPasswords() });
await crowd(app).finally(() => app.stop());
await callback();
