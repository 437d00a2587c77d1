import type { changePassword } from '@passwordbroker/core/contract/account/credentials';
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import type { User } from '@passwordbroker/core/contract/entities';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import { recordEvent } from '../audit/audit-log.ts';
import { freshUntil } from '../http/auth/authorise.ts';
import type { Actor, Context, Deps, RequestContext } from '../http/context.ts';
import { confirmSession, endCredentials } from '../http/auth/session-repository.ts';
import { giveNotice } from '../mail/outbox-repository.ts';
import { ownerOf } from '../platform/passwords/derivation-queue.ts';
import { newPasswordTexts } from '../users/password-rules.ts';
import { asUser, findUser, replacePassword } from '../users/user-repository.ts';
import { judgePassword, type JudgedAccount } from './account-password.ts';
import { grantSession } from './grant-session.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';

type Changing = Context<typeof changePassword, BodyOf<typeof changePassword>>;

/** @throws AppError `validation`, `too_many_requests` */
export async function changeOwnPassword(context: Changing): Promise<User> {
  const { deps, actor, origin, body } = context;
  const errors = await newPasswordTexts(deps, body, { about: [actor.name, actor.email] });
  if (Object.keys(errors).length > 0) throw new AppError('validation', { errors });
  const account = await judgeOwn(deps, context, actor, body.current_password);
  if (account === null) throw refuse('current_password', SERVER_TEXTS.passwordIncorrect);
  const password_hash = await deps.derivations.run(ownerOf(context), () => deps.accountPasswords.hash(body.password));
  const now = deps.clock.now();
  const { user, handOut } = await deps.db.transact(async (tx) => {
    await account.settle(tx);
    // A concurrent password change has ended this session.
    const isFirst = await replacePassword(tx, actor.userId, {
      from: account.user.password_hash,
      to: password_hash,
      now,
    });
    if (!isFirst) throw new AppError('unauthenticated');
    const epoch = await endCredentials(tx, actor.userId, actor.scopes === null ? null : actor.sessionId);
    await recordEvent(tx, deps, { event_type: 'password_changed', actor, origin });
    await giveNotice(tx, deps, 'password changed', { to: actor, origin });
    const changed = { ...account.user, password_hash, epoch, updated_at: now };
    // A session gets a new id; a token stays.
    return {
      user: changed,
      handOut: actor.scopes === null ? await grantSession(tx, deps, context, changed) : () => {},
    };
  });
  handOut();
  return asUser(user);
}

/** @throws AppError `validation`, `too_many_requests` */
export async function confirmOwnPassword(
  context: RequestContext & { readonly actor: Actor },
  password: string,
): Promise<{ fresh_until: string }> {
  const { deps, actor } = context;
  const account = await judgeOwn(deps, context, actor, password);
  if (account === null) throw refuse('password', SERVER_TEXTS.passwordIncorrect);
  const now = deps.clock.now();
  await deps.db.transact(async (tx) => {
    await account.settle(tx);
    await confirmSession(tx, actor.sessionId, now);
  });
  return { fresh_until: new Date(freshUntil({ confirmedAt: now })).toISOString() };
}

async function judgeOwn(
  deps: Deps,
  context: RequestContext,
  actor: Actor,
  password: string,
): Promise<JudgedAccount | null> {
  const found = await findUser(deps.db, actor.userId);
  if (found === undefined) throw new AppError('unauthenticated');
  return judgePassword(deps, context, found, { email: found.email, password });
}
