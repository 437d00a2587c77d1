/** Account password checks (docs/spec/threats.md §3.1.7–§3.1.9). */
import { recordEvent } from '../audit/audit-log.ts';
import type { Deps, RequestContext } from '../http/context.ts';
import type { Transact } from '../db/database.ts';
import {
  ATTEMPT_LIMITS,
  addressCounter,
  countJudged,
  forgiveAttempts,
  isLimitReached,
  refuseTooMany,
  type Counter,
} from '../platform/passwords/attempts.ts';
import { ownerOf, ownerOfUser } from '../platform/passwords/derivation-queue.ts';
import { identityKey, replacePasswordHash, type UserRow } from '../users/user-repository.ts';
import { encodePieces } from '@passwordbroker/core/crypto/bytes';
import type { Secure } from '../http/auth/session.ts';
import { factorCounters } from './factors/factor-limits.ts';
import { hmacSha256, randomText, sameText, sha256 } from '../platform/ids-and-digests.ts';

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

export interface JudgedAccount {
  /** Has the current hash parameters. */
  readonly user: UserRow;
  readonly isKnownDevice: boolean;
  /** Call in the transaction: stores a new hash and resets failures. */
  settle(tx: Transact): Promise<void>;
}

/**
 * Null after recording a failure; takes as long for unknown and disabled accounts.
 * @throws AppError `too_many_requests`; `unavailable` if too many derivations are queued
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
  // Many people may share the address of a known browser.
  const owner = found === undefined || device === null ? ownerOf(context) : ownerOfUser(found.user_id);
  const judge = async (): Promise<JudgedAccount | null> => {
    // Again after waiting, so that a burst of guesses cannot pass the limit.
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
 * After too many failures in a row a known browser counts as unknown, so that an admin can reset the
 * counters.
 */
async function trustedDevice(
  deps: Deps,
  context: RequestContext,
  email: string,
  passwordHash: string,
): Promise<string | null> {
  const device = knownDevice(deps, context, email, passwordHash);
  return device !== null && (await isLimitReached(deps, deviceStreak(device))) ? null : device;
}

export async function releaseAccount(tx: Transact, email: string): Promise<void> {
  await forgiveAttempts(tx, keysOf([...accountCounters(email), ...factorCounters(email, null)]));
}

const keysOf = (counters: readonly Counter[]) => counters.map(({ key }) => key);

interface Counted extends Counter {
  readonly isForgiven: boolean;
}

/** A known browser has its own counters, so that strangers cannot lock out the owner (T4, T143). */
function countersOf({ origin }: RequestContext, email: string, device: string | null): readonly Counted[] {
  if (device !== null) {
    const failures = { key: `login:device:${device}`, limit: ATTEMPT_LIMITS.signInOfAccount, isForgiven: true };
    return [failures, deviceStreak(device)];
  }
  return [{ ...addressCounter(origin), isForgiven: false }, ...accountCounters(email)];
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

/** Records e-mails of existing accounts only, because people type passwords into the wrong field. */
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

const SIXTY_DAYS = 60 * 24 * 3600;

const cookieName = ({ config }: Secure) => (config.publicUrl.startsWith('https:') ? '__Host-pb_device' : 'pb_device');

function macOf(random: string, email: string, passwordHash: string): string {
  const key = sha256(Buffer.from(passwordHash));
  return hmacSha256(key, encodePieces(['device', identityKey(email), random])).toString('base64url');
}

/** Whether the account was signed in to in this browser before, with its present password. */
export const isKnownDevice = (deps: Secure, context: RequestContext, { email, password_hash }: UserRow): boolean =>
  knownDevice(deps, context, email, password_hash) !== null;

/** Returns the random part if the cookie is valid for this account, else null. */
export function knownDevice(deps: Secure, context: RequestContext, email: string, passwordHash: string): string | null {
  const mark = context.cookie(cookieName(deps));
  if (mark === null) return null;
  const [random = '', mac = ''] = mark.split('.');
  return sameText(mac, macOf(random, email, passwordHash)) ? random : null;
}

/**
 * Sets the cookie of known browsers: `random.HMAC(SHA-256(password hash), account, random)`. It is stateless,
 * grants no access, and ends with the password.
 */
export function rememberDevice(deps: Secure, context: RequestContext, email: string, passwordHash: string): void {
  const random = randomText(16);
  context.head.setCookie(cookieName(deps), `${random}.${macOf(random, email, passwordHash)}`, {
    httpOnly: true,
    maxAge: SIXTY_DAYS,
  });
}
