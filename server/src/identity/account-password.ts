/** Judging an account password (threats §3.1.7-9): one derivation at a time limit, failures counted and on record, whoever asks for it. */
import { recordEvent } from '../audit/audit-log.ts';
import type { Deps, RequestContext } from '../http/context.ts';
import type { Transact } from '../db/database.ts';
import { ATTEMPT_LIMITS, countJudged, forgiveAttempts, isSpent, refuseTooMany } from '../platform/attempts.ts';
import type { Counter } from '../platform/attempts.ts';
import { ownerOf, ownerOfUser } from '../platform/derivation-queue.ts';
import { networkOf } from '../platform/networks.ts';
import { identityKey } from '../users/identity-key.ts';
import { replacePasswordHash } from '../users/user-repository.ts';
import type { UserRow } from '../users/user-repository.ts';
import { knownDevice } from './known-device.ts';

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

export interface JudgedAccount {
  /** With the hash of today's parameters. */
  readonly user: UserRow;
  /** Whether this browser has signed in to the account before. */
  readonly isKnownDevice: boolean;
  /** Part of the act that the password was given for. */
  settle(tx: Transact): Promise<void>;
}

/**
 * The account when the password is its own, else null: then the failure is counted and on record.
 * For an account that there is not, or that is disabled, the same happens in the same time.
 * @throws AppError `too_many_requests` over the limits, `unavailable` when too many derivations of
 * this caller wait
 */
export async function judgePassword(
  deps: Deps,
  context: RequestContext,
  found: UserRow | undefined,
  { email, password }: Credentials,
  options: { readonly isSignIn?: boolean } = {},
): Promise<JudgedAccount | null> {
  const { accountPasswords } = deps;
  const device = found === undefined ? null : await trustedDevice(deps, context, email, found.password_hash);
  const counters = countersOf(context, email, device);
  // Over the limit nobody waits in line for a derivation.
  await refuseTooMany(deps, ...counters);
  // A known browser counts as the person, not as its address, which many people may share.
  const owner = found === undefined || device === null ? ownerOf(context) : ownerOfUser(found.user_id);
  const judge = async (): Promise<JudgedAccount | null> => {
    // Again inside the slot, so that a burst of guesses gets no further than the few that are derived at once.
    await refuseTooMany(deps, ...counters);
    const isRight = await accountPasswords.verify(found?.password_hash ?? accountPasswords.dummy, password);
    if (found === undefined || !isRight || found.disabled_at !== null) {
      await countFailure(deps, context, counters, found?.email);
      return null;
    }
    const { password_hash } = found;
    const hash = accountPasswords.isOutdated(password_hash) ? await accountPasswords.hash(password) : password_hash;
    return {
      user: { ...found, password_hash: hash },
      isKnownDevice: device !== null,
      async settle(tx) {
        if (hash !== password_hash) await replacePasswordHash(tx, found.user_id, password_hash, hash);
        await forgiveAttempts(tx, keysOf(counters.filter(({ isForgiven }) => isForgiven)));
      },
    };
  };
  return deps.derivations.run(owner, judge, options);
}

/** After so many failures in a row a browser is a stranger like any other: what it has left is the account's, and an admin can release that. */
async function trustedDevice(
  deps: Deps,
  context: RequestContext,
  email: string,
  passwordHash: string,
): Promise<string | null> {
  const device = knownDevice(deps, context, email, passwordHash);
  return device !== null && (await isSpent(deps, deviceStreak(device))) ? null : device;
}

/** An admin has looked at the account: failures of before hold nobody up any more. */
export async function releaseAccount(tx: Transact, email: string): Promise<void> {
  await forgiveAttempts(tx, keysOf(accountCounters(email)));
}

const keysOf = (counters: readonly Counter[]) => counters.map(({ key }) => key);

interface Counted extends Counter {
  /** By a success. */
  readonly isForgiven: boolean;
}

/**
 * Failures count for the address and the account. A browser that has signed in to the account
 * before has its own counters, so that strangers cannot lock out the owner (T4, T143).
 */
function countersOf({ origin }: RequestContext, email: string, device: string | null): readonly Counted[] {
  if (device !== null) {
    const failures = { key: `login:device:${device}`, limit: ATTEMPT_LIMITS.signInOfAccount, isForgiven: true };
    return [failures, deviceStreak(device)];
  }
  const address = {
    key: `login:address:${networkOf(origin.address)}`,
    limit: ATTEMPT_LIMITS.signInFromAddress,
    isForgiven: false,
  };
  return [address, ...accountCounters(email)];
}

const deviceStreak = (device: string): Counted => ({
  key: `login:device-streak:${device}`,
  limit: ATTEMPT_LIMITS.signInStreak,
  isForgiven: true,
});

const accountCounters = (email: string): readonly Counted[] => [
  { key: `login:account:${identityKey(email)}`, limit: ATTEMPT_LIMITS.signInOfAccount, isForgiven: true },
  { key: `login:streak:${identityKey(email)}`, limit: ATTEMPT_LIMITS.signInStreak, isForgiven: true },
];

/**
 * What was never judged counts nothing. What was typed is kept only when it is the e-mail of an account: it may as well be a password in
 * the wrong place.
 */
async function countFailure(
  deps: Deps,
  { origin }: RequestContext,
  counters: readonly Counter[],
  login: string | undefined,
): Promise<void> {
  await countJudged(deps, counters, (tx) =>
    recordEvent(tx, deps, {
      event_type: 'login_failed',
      actor: null,
      ...(login === undefined ? {} : { login }),
      origin,
    }),
  );
}
