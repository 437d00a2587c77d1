/** Signing in with the account password (`api.md` §3.1, threats §3.1.7-9). */
import type { User } from '@passwordbroker/core/contract/entities';
import { AppError } from '@passwordbroker/core/contract/problem';
import { recordEvent } from '../audit/audit-log.ts';
import type { Deps, RequestContext } from '../http/context.ts';
import { DUMMY_HASH, hashAccountPassword, isOutdatedHash, verifyAccountPassword } from '../platform/argon2.ts';
import { ATTEMPT_LIMITS, countAttempt, forgiveAttempts, uncountAttempt } from '../platform/attempts.ts';
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
  const user = await findUserByEmail(deps.db, identityKey(email));
  const keys = attemptKeys(deps, context, email, user?.password_hash);
  await countAttempt(deps, keys.address, ATTEMPT_LIMITS.signInFromAddress);
  await countAttempt(deps, keys.account, ATTEMPT_LIMITS.signInOfAccount);
  const isRight = await deps.derivations.run(() => verifyAccountPassword(user?.password_hash ?? DUMMY_HASH, password));
  if (user === undefined || !isRight) {
    await deps.db.transact((tx) =>
      recordEvent(tx, deps, { event_type: 'login_failed', actor: null, login: email, origin: context.origin }),
    );
    throw new AppError('invalid_credentials');
  }
  const outdated = isOutdatedHash(user.password_hash);
  const hash = outdated ? await deps.derivations.run(() => hashAccountPassword(password)) : user.password_hash;
  const handOut = await deps.db.transact(async (tx) => {
    if (outdated) await replacePasswordHash(tx, user.user_id, user.password_hash, hash);
    await uncountAttempt(tx, keys.address);
    await forgiveAttempts(tx, keys.account);
    const actor = { userId: user.user_id, email: user.email };
    await recordEvent(tx, deps, { event_type: 'login', actor, origin: context.origin });
    return grantSession(tx, deps, context, { userId: user.user_id, epoch: user.epoch });
  });
  handOut();
  rememberDevice(deps, context, email, hash);
  return asUser(user);
}

/**
 * Failures are counted per account and per address. A browser that has signed in to this account before has a counter of its own, so that
 * strangers cannot lock its owner out (threats T4).
 */
function attemptKeys(deps: Deps, context: RequestContext, email: string, hash: string | undefined) {
  const device = hash === undefined ? null : knownDevice(deps, context, email, hash);
  return {
    address: `login:address:${context.origin.address}`,
    account: device === null ? `login:account:${identityKey(email)}` : `login:device:${device}`,
  };
}
