import type { User } from '@passwordbroker/core/contract/entities';
import { AppError } from '@passwordbroker/core/contract/problem';
import { recordEvent } from '../audit/audit-log.ts';
import type { Transact } from '../db/database.ts';
import type { Deps, RequestContext } from '../http/context.ts';
import { giveNotice } from '../mail/outbox-repository.ts';
import { identityKey, asUser, findUserByEmail } from '../users/user-repository.ts';
import { passwordWeakness } from '../users/password-rules.ts';
import { judgePassword, type Credentials, type JudgedAccount } from './account-password.ts';
import { grantSession, grantToken, requireAdmitted } from './grant-session.ts';

/**
 * Unknown e-mail, wrong password and disabled account are indistinguishable by status, body and time.
 * @throws AppError `invalid_credentials`, `too_many_requests`
 */
export async function signIn(deps: Deps, context: RequestContext, credentials: Credentials): Promise<User> {
  const account = await judged(deps, context, credentials);
  const hasWeakPassword = await isWeak(deps, account, credentials);
  const handOut = await deps.db.transactBeside(async (tx) => {
    await settle(tx, deps, context, account);
    if (!account.isKnownDevice) await tellOfDevice(tx, deps, context, account);
    return grantSession(tx, deps, context, account.user, hasWeakPassword);
  });
  handOut();
  return asUser(account.user);
}

const DEFAULT_TOKEN_NAME = 'api';

/** Like `signIn`, but returns a token. An existing session stays. */
export async function signInByToken(
  deps: Deps,
  context: RequestContext,
  { token_name: name = DEFAULT_TOKEN_NAME, ...credentials }: Credentials & { readonly token_name?: string | undefined },
) {
  const account = await judged(deps, context, credentials);
  const hasWeakPassword = await isWeak(deps, account, credentials);
  const { isRenewal: _, ...granted } = await deps.db.transact(async (tx) => {
    await settle(tx, deps, context, account);
    const confirmedAt = deps.clock.now();
    const token = await grantToken(tx, deps, context, account.user, { name, confirmedAt, hasWeakPassword });
    // Programs have no device cookie, so a new token name counts as a new device.
    if (!token.isRenewal) await tellOfDevice(tx, deps, context, account);
    return token;
  });
  return { user: asUser(account.user), ...granted };
}

async function judged(deps: Deps, context: RequestContext, credentials: Credentials): Promise<JudgedAccount> {
  // This limit is the same for all accounts, so it may come before the password check.
  await requireAdmitted(deps.db.read, context, { is_admin: 0 });
  const found = await findUserByEmail(deps.db, identityKey(credentials.email));
  const account = await judgePassword(deps, context, found, credentials, { isSignIn: true });
  if (account === null) throw new AppError('invalid_credentials');
  if (account.user.is_admin === 0 && (await deps.space.isLow())) await deps.space.ease('member');
  // After the password check, so that only its owner learns that this is a site admin.
  await requireAdmitted(deps.db.read, context, account.user).catch(async (refusal: unknown) => {
    const { user_id: userId, email } = account.user;
    const details = { reason: 'address' };
    await deps.db.transactBeside((tx) =>
      recordEvent(tx, deps, { event_type: 'login_failed', actor: { userId, email }, origin: context.origin, details }),
    );
    throw refusal;
  });
  return account;
}

/** A weak password does not block the sign-in. Returns false if the estimator is overloaded. */
const isWeak = (deps: Deps, { user }: JudgedAccount, { password }: Credentials): Promise<boolean> =>
  passwordWeakness(deps, password, [user.name, user.email]).then(
    (weakness) => weakness !== null,
    (error: unknown) => {
      if (error instanceof AppError && error.code === 'unavailable') return false;
      throw error;
    },
  );

async function tellOfDevice(
  tx: Transact,
  deps: Deps,
  { origin }: RequestContext,
  { user }: JudgedAccount,
): Promise<void> {
  await giveNotice(tx, deps, 'new device', { to: user, origin });
}

async function settle(tx: Transact, deps: Deps, { origin }: RequestContext, account: JudgedAccount): Promise<void> {
  const { user } = account;
  await account.settle(tx);
  await recordEvent(tx, deps, { event_type: 'login', actor: { userId: user.user_id, email: user.email }, origin });
}
