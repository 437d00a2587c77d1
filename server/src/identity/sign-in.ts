/** Signing in with the account password (`api.md` §3.1, threats §3.1.7-9). */
import type { User } from '@passwordbroker/core/contract/entities';
import { AppError } from '@passwordbroker/core/contract/problem';
import { recordEvent } from '../audit/audit-log.ts';
import type { Deps, RequestContext } from '../http/context.ts';
import { DUMMY_HASH, hashAccountPassword, isOutdatedHash, verifyAccountPassword } from '../platform/argon2.ts';
import { ATTEMPT_LIMITS, countAttempt, forgiveAttempts, refuseTooMany } from '../platform/attempts.ts';
import { identityKey } from '../users/identity-key.ts';
import { asUser, findUserByEmail, replacePasswordHash } from '../users/user-repository.ts';
import { grantSession } from './grant-session.ts';
import { knownDevice, rememberDevice } from './known-device.ts';

interface Credentials {
  readonly email: string;
  readonly password: string;
}

/**
 * Grants a session. An unknown e-mail and a wrong password are the same: status, body, time. Throws `invalid_credentials`, or
 * `too_many_requests` over the limits.
 */
export async function signIn(deps: Deps, context: RequestContext, { email, password }: Credentials): Promise<User> {
  const found = await findUserByEmail(deps.db, identityKey(email));
  const keys = attemptKeys(deps, context, email, found?.password_hash);
  // Over the limit nobody waits in line for a derivation.
  await refuseTooManySignIns(deps, keys);
  const { user, hash } = await deps.derivations.run(async () => {
    // Again inside the slot, so that a burst of guesses gets no further than the few that are derived at once.
    await refuseTooManySignIns(deps, keys);
    const isRight = await verifyAccountPassword(found?.password_hash ?? DUMMY_HASH, password);
    if (found === undefined || !isRight) return refuseSignIn(deps, context, keys, found?.email);
    const isOutdated = isOutdatedHash(found.password_hash);
    return { user: found, hash: isOutdated ? await hashAccountPassword(password) : found.password_hash };
  });
  const handOut = await deps.db.transact(async (tx) => {
    if (hash !== user.password_hash) await replacePasswordHash(tx, user.user_id, user.password_hash, hash);
    await forgiveAttempts(tx, keys.account);
    const actor = { userId: user.user_id, email: user.email };
    await recordEvent(tx, deps, { event_type: 'login', actor, origin: context.origin });
    return grantSession(tx, deps, context, { userId: user.user_id, epoch: user.epoch });
  });
  handOut();
  rememberDevice(deps, context, email, hash);
  return asUser(user);
}

/** Names of the two counters of a sign-in. */
interface AttemptKeys {
  readonly address: string;
  readonly account: string;
}

async function refuseTooManySignIns(deps: Deps, keys: AttemptKeys): Promise<void> {
  await refuseTooMany(deps, keys.address, ATTEMPT_LIMITS.signInFromAddress);
  await refuseTooMany(deps, keys.account, ATTEMPT_LIMITS.signInOfAccount);
}

/**
 * Puts a failure on record and counts it; what was never judged counts nothing. What was typed is kept only when it is the e-mail of an account:
 * it may as well be a password in the wrong place.
 */
async function refuseSignIn(
  deps: Deps,
  { origin }: RequestContext,
  keys: AttemptKeys,
  login: string | undefined,
): Promise<never> {
  await deps.db.transact((tx) =>
    recordEvent(tx, deps, {
      event_type: 'login_failed',
      actor: null,
      ...(login === undefined ? {} : { login }),
      origin,
    }),
  );
  await countAttempt(deps, keys.address, ATTEMPT_LIMITS.signInFromAddress);
  await countAttempt(deps, keys.account, ATTEMPT_LIMITS.signInOfAccount);
  throw new AppError('invalid_credentials');
}

/**
 * Failures are counted per account and per address. A browser that has signed in to this account before has a counter of its own, so that
 * strangers cannot lock its owner out (threats T4).
 */
function attemptKeys(deps: Deps, context: RequestContext, email: string, hash: string | undefined): AttemptKeys {
  const device = hash === undefined ? null : knownDevice(deps, context, email, hash);
  return {
    address: `login:address:${context.origin.address}`,
    account: device === null ? `login:account:${identityKey(email)}` : `login:device:${device}`,
  };
}
