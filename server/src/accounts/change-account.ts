import type { User } from '@passwordbroker/core/contract/entities';
import { AppError } from '@passwordbroker/core/contract/problem';
import { recordEvent } from '../audit/audit-log.ts';
import type { Transact } from '../db/database.ts';
import type { Actor, Deps, Context, Caller, Operator } from '../http/context.ts';
import { endCredentials, isSessionThere } from '../http/auth/session-repository.ts';
import { releaseAccount } from '../identity/account-password.ts';
import { updateFactorDue } from '../identity/factors/policy.ts';
import { endLocalSessions } from '../identity/local-sign-in/end-local-sessions.ts';
import { endRemembered } from '../identity/factors/remembered-browsers.ts';
import { endInvitesOf } from '../invites/end-invites.ts';
import { giveNotice } from '../mail/outbox-repository.ts';
import { readAccount } from '../users/find-people.ts';
import {
  countOtherAdmins,
  findAccountInTransaction,
  isSiteAdminInTransaction,
  updateUser,
  type AccountChange,
} from './account-repository.ts';
import { leaveServicesWithoutOwner } from '../service-accounts/service-repository.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import { TEXTS } from '@passwordbroker/core/contract/inputs';
import type { update } from '@passwordbroker/core/contract/users/people';
import { SIGN_UP_TEXTS } from '@passwordbroker/core/contract/users/users';
import { isEmail } from '@passwordbroker/core/domain/sign-up-rules';
import { brokenUniqueness } from '../db/failures.ts';
import { demandFreshSignIn } from '../http/auth/authorise.ts';
import type { FieldTexts } from '../http/validation.ts';
import { ownerOf } from '../platform/passwords/derivation-queue.ts';
import { identityKey, findUser, isEmailTaken, isNameTaken, type UserRow } from '../users/user-repository.ts';
import { newPasswordTexts } from '../users/password-rules.ts';

/**
 * Repeats the check inside the transaction: of two admins who demote each other, only the first succeeds.
 * @throws AppError `forbidden`
 */
export async function demandSiteAdmin(tx: Transact, actor: Pick<Actor, 'userId'> | null): Promise<void> {
  if (actor !== null && !(await isSiteAdminInTransaction(tx, actor.userId))) throw new AppError('forbidden');
}

/**
 * The caller's account. Repeats the check of the session inside the transaction: another request may have ended it.
 * @throws AppError `unauthenticated`
 */
export async function demandOwnSession(
  tx: Transact,
  { userId, sessionId }: Pick<Actor, 'userId' | 'sessionId'>,
): Promise<UserRow> {
  const user = await findAccountInTransaction(tx, userId);
  if (user === undefined || !(await isSessionThere(tx, sessionId))) throw new AppError('unauthenticated');
  return user;
}

/** @throws AppError `not_found`; `conflict` for the last site admin */
export async function setAdmin(deps: Deps, by: Operator, userId: string, isAdmin: boolean): Promise<User> {
  await deps.db.transact(async (tx) => {
    await demandSiteAdmin(tx, by.actor);
    const account = await findAccountInTransaction(tx, userId);
    if (account === undefined) throw new AppError('not_found');
    if (account.is_admin === (isAdmin ? 1 : 0)) return;
    if (!isAdmin && (await countOtherAdmins(tx, userId)) === 0) {
      throw new AppError('conflict', { message: SERVER_TEXTS.lastSiteAdmin });
    }
    await updateUser(tx, userId, { is_admin: isAdmin ? 1 : 0, is_auditor: 0 }, deps.clock.now());
    await updateFactorDue(tx, userId, deps.clock.now());
    if (isAdmin) await endRemembered(tx, userId);
    if (!isAdmin) await endInvitesOf(tx, deps, by, { userId, reason: 'demoted' });
    if (!isAdmin && account.break_glass === 1) await endLocalSessions(tx, deps, userId);
    const notice = isAdmin ? 'admin made' : 'admin ended';
    await giveNotice(tx, deps, notice, { to: account, origin: by.origin, by: by.actor });
    const target = { target_type: 'user', target_id: userId };
    const details = { is_admin: isAdmin };
    const { actor, origin } = by;
    await recordEvent(tx, deps, { event_type: 'user_admin_changed', actor, origin, ...target, details });
  });
  return readAccount(deps, userId);
}

/** @throws AppError `not_found`; `conflict` for a site admin */
export async function setAuditor(deps: Deps, by: Operator, userId: string, isAuditor: boolean): Promise<User> {
  await deps.db.transact(async (tx) => {
    await demandSiteAdmin(tx, by.actor);
    const account = await findAccountInTransaction(tx, userId);
    if (account === undefined) throw new AppError('not_found');
    if (account.is_auditor === (isAuditor ? 1 : 0)) return;
    if (account.is_admin === 1) throw new AppError('conflict', { message: SERVER_TEXTS.adminIsNoAuditor });
    await updateUser(tx, userId, { is_auditor: isAuditor ? 1 : 0 }, deps.clock.now());
    const notice = isAuditor ? 'auditor made' : 'auditor ended';
    await giveNotice(tx, deps, notice, { to: account, origin: by.origin, by: by.actor });
    const target = { target_type: 'user', target_id: userId, details: { is_auditor: isAuditor } };
    await recordEvent(tx, deps, { event_type: 'user_auditor_changed', ...by, ...target });
  });
  return readAccount(deps, userId);
}

/**
 * Enabling an account also resets its failed sign-ins. @throws AppError `not_found`; `conflict` for oneself
 */
export async function setDisabled(
  deps: Deps,
  { actor, origin }: Caller,
  userId: string,
  isDisabled: boolean,
): Promise<User> {
  await deps.db.transact(async (tx) => {
    await demandSiteAdmin(tx, actor);
    const account = await findAccountInTransaction(tx, userId);
    if (account === undefined) throw new AppError('not_found');
    if (userId === actor.userId) throw new AppError('conflict', { message: SERVER_TEXTS.notYourself });
    const target = { target_type: 'user', target_id: userId };
    if (!isDisabled) await releaseAccount(tx, account.email);
    if ((account.disabled_at !== null) === isDisabled) {
      if (isDisabled) return;
      const details = { released: true };
      return recordEvent(tx, deps, { event_type: 'user_updated', actor, origin, ...target, details });
    }
    const now = deps.clock.now();
    await updateUser(tx, userId, { disabled_at: isDisabled ? now : null }, now);
    if (isDisabled) {
      await endCredentials(tx, userId);
      await endInvitesOf(tx, deps, { actor, origin }, { userId, reason: 'disabled' });
      await leaveServicesWithoutOwner(tx, account);
    }
    const notice = isDisabled ? 'account disabled' : 'account enabled';
    await giveNotice(tx, deps, notice, { to: account, origin, by: actor });
    const details = { disabled: isDisabled };
    await recordEvent(tx, deps, { event_type: 'user_updated', actor, origin, ...target, details });
  });
  return readAccount(deps, userId);
}

/** Resets failed sign-ins. Audited, because the failures may be an attack. */
export async function releaseSignIn(deps: Deps, by: Operator, userId: string): Promise<void> {
  await deps.db.transact(async (tx) => {
    await demandSiteAdmin(tx, by.actor);
    const account = await findAccountInTransaction(tx, userId);
    if (account === undefined) throw new AppError('not_found');
    await releaseAccount(tx, account.email);
    const target = { target_type: 'user', target_id: userId };
    await recordEvent(tx, deps, { event_type: 'user_updated', ...by, ...target, details: { released: true } });
  });
}

type Updating = Context<typeof update, BodyOf<typeof update>>;

/**
 * @throws AppError `reauth_required` for the password or e-mail of another account, and for the caller's own e-mail if
 * the account has a second factor; `validation`, `not_found`
 */
export async function updateAccount(context: Updating): Promise<User> {
  const { deps, actor, origin, params, body } = context;
  const isAnother = params.id !== actor.userId;
  const before = await findUser(deps.db, params.id);
  if (before?.kind !== 'person') throw new AppError('not_found');
  const { password, email = before.email } = body;
  const isFreshAsked = isAnother
    ? password !== undefined || email !== before.email
    : actor.factorState !== 'none' && email !== before.email;
  if (isFreshAsked) demandFreshSignIn(deps, actor);
  const errors = await findings(context, before);
  if (Object.keys(errors).length > 0) throw new AppError('validation', { errors });
  const change: AccountChange = {
    ...nameOf(body.name ?? body.username),
    ...emailOf(body.email),
    ...(password === undefined
      ? {}
      : {
          has_password: 1,
          password_hash: await deps.derivations.run(ownerOf(context), () => deps.accountPasswords.hash(password)),
        }),
  };
  const changed = (Object.keys(change) as (keyof AccountChange)[]).filter((key) => change[key] !== before[key]);
  if (changed.length === 0) return readAccount(deps, params.id);
  await deps.db
    .transact(async (tx) => {
      if (isAnother) await demandSiteAdmin(tx, actor);
      if (!(await updateUser(tx, params.id, change, deps.clock.now()))) throw new AppError('not_found');
      if (password !== undefined) {
        await endCredentials(tx, params.id);
        await releaseAccount(tx, change.email ?? before.email);
      }
      await tellOwner(tx, context, before, change);
      const details = {
        name: changed.includes('name'),
        email: changed.includes('email'),
        password: password !== undefined,
      };
      const target = { target_type: 'user', target_id: params.id };
      await recordEvent(tx, deps, { event_type: 'user_updated', actor, origin, ...target, details });
    })
    .catch((error: unknown) => {
      throw asRefusal(error);
    });
  return readAccount(deps, params.id);
}

/** The old address is notified too, so that a takeover cannot be hidden. */
async function tellOwner(
  tx: Transact,
  { deps, origin, actor }: Updating,
  { user_id, name, email }: UserRow,
  change: AccountChange,
): Promise<void> {
  const told = { origin, ...(user_id === actor.userId ? {} : { by: actor }) };
  if (change.password_hash !== undefined) await giveNotice(tx, deps, 'password set', { to: { name, email }, ...told });
  if (change.email === undefined || change.email === email) return;
  await giveNotice(tx, deps, 'email changed', { to: { name, email }, ...told });
  await giveNotice(tx, deps, 'email set', { to: { name, email: change.email }, ...told });
}

const nameOf = (name: string | undefined) => (name === undefined ? {} : { name, name_key: identityKey(name) });
const emailOf = (email: string | undefined) => (email === undefined ? {} : { email, email_key: identityKey(email) });

async function findings({ deps, actor, body }: Updating, before: UserRow): Promise<FieldTexts> {
  const texts: FieldTexts = {};
  const { name = body.username, email, password, password_confirmation } = body;
  if (name !== undefined && (await isNameTaken(deps.db, identityKey(name), before.user_id))) {
    texts['name'] = [SIGN_UP_TEXTS.nameTaken];
  }
  if (email !== undefined && !isEmail(email)) texts['email'] = [SIGN_UP_TEXTS.emailBad];
  else if (email !== undefined && (await isEmailTaken(deps.db, identityKey(email), before.user_id))) {
    texts['email'] = [SIGN_UP_TEXTS.emailTaken];
  }
  if (password === undefined) return texts;
  // Changing one's own password needs the current one, so another request does it.
  if (before.user_id === actor.userId) return { ...texts, password: [TEXTS.unexpected('password')] };
  const about = [name ?? before.name, email ?? before.email];
  return { ...texts, ...(await newPasswordTexts(deps, { password, password_confirmation }, { about })) };
}

/** Unique constraints detect concurrent changes. */
function asRefusal(error: unknown): unknown {
  const taken = brokenUniqueness(error);
  if (taken === 'users.name_key') return new AppError('validation', { errors: { name: [SIGN_UP_TEXTS.nameTaken] } });
  if (taken === 'users.email_key') return new AppError('validation', { errors: { email: [SIGN_UP_TEXTS.emailTaken] } });
  return error;
}
