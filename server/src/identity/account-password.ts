/**
 * Checks account passwords (docs/spec/threats.md §3.1.7–§3.1.9): limits and records failures for every caller, and
 * queues derivations.
 */
import { recordEvent } from '../audit/audit-log.ts';
import type { Deps, RequestContext } from '../http/context.ts';
import type { Transact } from '../db/database.ts';
import {
  ATTEMPT_LIMITS,
  countJudged,
  forgiveAttempts,
  isSpent,
  refuseTooMany,
} from '../platform/passwords/attempts.ts';
import type { Counter } from '../platform/passwords/attempts.ts';
import { ownerOf, ownerOfUser } from '../platform/passwords/derivation-queue.ts';
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
  /** Its hash has the current parameters. */
  readonly user: UserRow;
  /** Whether this browser has signed in to the account before. */
  readonly isKnownDevice: boolean;
  /** Stores a new hash and resets failures; call it in the caller's transaction. */
  settle(tx: Transact): Promise<void>;
}

/**
 * Returns the account if the password is right. Otherwise returns null and records the failure, in
 * the same time for unknown and disabled accounts.
 * @throws AppError `too_many_requests` over the limits, `unavailable` if too many derivations of
 * this caller are queued
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
  // Checked before queueing, so that callers over the limit do not wait.
  await refuseTooMany(deps, ...counters);
  // A known browser counts as its person, because many people may share its address.
  const owner = found === undefined || device === null ? ownerOf(context) : ownerOfUser(found.user_id);
  const judge = async (): Promise<JudgedAccount | null> => {
    // Checked again after waiting, so that a burst of guesses cannot pass the limit.
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

/**
 * A known browser with too many failures in a row counts as unknown: the account's counters apply,
 * which an admin can reset.
 */
async function trustedDevice(
  deps: Deps,
  context: RequestContext,
  email: string,
  passwordHash: string,
): Promise<string | null> {
  const device = knownDevice(deps, context, email, passwordHash);
  return device !== null && (await isSpent(deps, deviceStreak(device))) ? null : device;
}

/** Resets the failure counters of an account. */
export async function releaseAccount(tx: Transact, email: string): Promise<void> {
  await forgiveAttempts(tx, keysOf(accountCounters(email)));
}

const keysOf = (counters: readonly Counter[]) => counters.map(({ key }) => key);

interface Counted extends Counter {
  /** Reset by a successful check. */
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
 * Counts a failure of a checked password. Logs the e-mail only of existing accounts, because people
 * type passwords into the wrong field.
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
