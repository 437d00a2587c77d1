/** The account password of the caller: changed, set, removed and judged. */
import type { changePassword } from '@passwordbroker/core/contract/account/credentials';
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import type { User } from '@passwordbroker/core/contract/entities';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import { demandOwnSession } from '../accounts/change-account.ts';
import { recordEvent } from '../audit/audit-log.ts';
import { demandFreshSignIn } from '../http/auth/authorise.ts';
import { endCredentials } from '../http/auth/session-repository.ts';
import type { Actor, Context, Deps, RequestContext } from '../http/context.ts';
import type { FieldTexts } from '../http/validation.ts';
import { giveNotice } from '../mail/outbox-repository.ts';
import { ownerOf } from '../platform/passwords/derivation-queue.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';
import { newPasswordTexts } from '../users/password-rules.ts';
import { asUser, findUser, replacePassword, type UserRow } from '../users/user-repository.ts';
import { judgePassword, type JudgedAccount } from './account-password.ts';
import { grantSession } from './grant-session.ts';
import { demandLocalSignIn } from './local-sign-in/local-sign-in.ts';
import { signsInWithoutPassword } from './local-sign-in/ways-in.ts';
import { proofOfActor } from './sign-in-proof.ts';

type Changing = Context<typeof changePassword, BodyOf<typeof changePassword>>;

/** @throws AppError `validation`, `too_many_requests`, `local_sign_in_off` */
export async function changeOwnPassword(context: Changing): Promise<User> {
  const { deps, actor, origin, body } = context;
  const user = await findUser(deps.db, actor.userId);
  if (user === undefined) throw new AppError('unauthenticated');
  const errors = await newPasswordTexts(deps, body, { about: [actor.name, actor.email] });
  Object.assign(errors, presentPasswordTexts(user, body.current_password));
  if (Object.keys(errors).length > 0) throw new AppError('validation', { errors });
  const account = await judgeForNewPassword(context, user);
  const password_hash = await deps.derivations.run(ownerOf(context), () => deps.accountPasswords.hash(body.password));
  const now = deps.clock.now();
  const { changed, handOut } = await deps.db.transact(async (tx) => {
    await account.settle(tx);
    // A concurrent password change has ended this session.
    const isFirst = await replacePassword(tx, actor.userId, {
      from: account.user.password_hash,
      to: password_hash,
      has_password: 1,
      now,
    });
    if (!isFirst) throw new AppError('unauthenticated');
    const epoch = await endCredentials(tx, actor.userId, actor.scopes === null ? null : actor.sessionId);
    await recordEvent(tx, deps, { event_type: 'password_changed', actor, origin });
    const notice = user.has_password === 1 ? 'password changed' : 'first password set';
    await giveNotice(tx, deps, notice, { to: actor, origin });
    const changed = { ...account.user, password_hash, has_password: 1 as const, epoch, updated_at: now };
    // A session gets a new id; a token stays.
    return {
      changed,
      handOut:
        actor.scopes === null
          ? await grantSession(tx, deps, context, proofOfActor(actor, changed, CHANGED(now)))
          : () => {},
    };
  });
  handOut();
  return asUser(changed);
}

/**
 * The person signs in at a provider or with a passkey from then on. All other sessions and all tokens end.
 * @throws AppError `not_found` for an account without a password; `conflict` for a break-glass account, and for the only
 * way to sign in; `unauthenticated` if the session has ended
 */
export async function removeOwnPassword(context: RequestContext & { readonly actor: Actor }): Promise<undefined> {
  const { deps, actor, origin } = context;
  const to = deps.accountPasswords.unusable();
  const now = deps.clock.now();
  const handOut = await deps.db.transact(async (tx) => {
    const user = await demandOwnSession(tx, actor);
    if (user.has_password === 0) throw new AppError('not_found');
    if (user.break_glass === 1) throw new AppError('conflict', { message: SERVER_TEXTS.breakGlassPassword });
    if (!(await signsInWithoutPassword({ ...deps, db: { read: tx } }, user))) {
      throw new AppError('conflict', { message: SERVER_TEXTS.onlyWayIn });
    }
    await replacePassword(tx, actor.userId, { from: user.password_hash, to, has_password: 0, now });
    const epoch = await endCredentials(tx, actor.userId, actor.sessionId);
    await recordEvent(tx, deps, { event_type: 'password_removed', actor, origin });
    await giveNotice(tx, deps, 'password removed', { to: actor, origin });
    const changed = { ...user, password_hash: to, epoch };
    return grantSession(tx, deps, context, proofOfActor(actor, changed, { hasWeakPassword: false }));
  });
  handOut();
  return undefined;
}

export const presentPasswordTexts = (user: UserRow | undefined, sent: unknown): FieldTexts =>
  user?.has_password === 1 && (sent ?? '') === '' ? { current_password: [SERVER_TEXTS.passwordIncorrect] } : {};

/** An account without a password sets its first one after a fresh sign-in. */
async function judgeForNewPassword(context: Changing, user: UserRow): Promise<Pick<JudgedAccount, 'user' | 'settle'>> {
  const { deps, actor, body } = context;
  if (user.has_password === 0) {
    demandFreshSignIn(deps, actor);
    return { user, settle: () => Promise.resolve() };
  }
  const account = await judgeOwn(deps, context, actor, body.current_password ?? '');
  if (account === null) throw refuse('current_password', SERVER_TEXTS.passwordIncorrect);
  return account;
}

const CHANGED = (now: number) => ({ confirmedAt: now, hasWeakPassword: false });

/** Null for a wrong password. @throws AppError `too_many_requests`, `local_sign_in_off` */
export async function judgeOwn(
  deps: Deps,
  context: RequestContext,
  actor: Actor,
  password: string,
): Promise<JudgedAccount | null> {
  const found = await findUser(deps.db, actor.userId);
  if (found === undefined) throw new AppError('unauthenticated');
  const account = await judgePassword(deps, context, found, { email: found.email, password });
  if (account !== null) await demandLocalSignIn(deps, account.user);
  return account;
}
