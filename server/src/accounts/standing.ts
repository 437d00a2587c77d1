import type { User } from '@passwordbroker/core/contract/entities';
import { AppError } from '@passwordbroker/core/contract/problem';
import { recordEvent } from '../audit/audit-log.ts';
import type { Transact } from '../db/database.ts';
import type { Actor, Deps } from '../http/context.ts';
import { endCredentials } from '../http/auth/session-repository.ts';
import { releaseAccount } from '../identity/account-password.ts';
import { endInvitesOf } from '../invites/end-invites.ts';
import { giveNotice } from '../mail/notices.ts';
import type { Caller, Operator } from '../operations/caller.ts';
import { readAccount } from '../users/find-people.ts';
import { countOtherAdmins, findAccountInAct, isSiteAdminInAct, updateUser } from './account-repository.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';

/**
 * Repeats the check inside the transaction: of two admins who demote each other, only the first succeeds.
 * @throws AppError `forbidden`
 */
export async function demandSiteAdmin(tx: Transact, actor: Pick<Actor, 'userId'> | null): Promise<void> {
  if (actor !== null && !(await isSiteAdminInAct(tx, actor.userId))) throw new AppError('forbidden');
}

/** @throws AppError `not_found`; `conflict` for the last site admin */
export async function setAdmin(deps: Deps, by: Operator, userId: string, isAdmin: boolean): Promise<User> {
  await deps.db.transact(async (tx) => {
    await demandSiteAdmin(tx, by.actor);
    const account = await findAccountInAct(tx, userId);
    if (account === undefined) throw new AppError('not_found');
    if (account.is_admin === (isAdmin ? 1 : 0)) return;
    if (!isAdmin && (await countOtherAdmins(tx, userId)) === 0) {
      throw new AppError('conflict', { message: SERVER_TEXTS.lastSiteAdmin });
    }
    await updateUser(tx, userId, { is_admin: isAdmin ? 1 : 0, is_auditor: 0 }, deps.clock.now());
    if (!isAdmin) await endInvitesOf(tx, deps, by, { userId, reason: 'demoted' });
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
    const account = await findAccountInAct(tx, userId);
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
    const account = await findAccountInAct(tx, userId);
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
    const account = await findAccountInAct(tx, userId);
    if (account === undefined) throw new AppError('not_found');
    await releaseAccount(tx, account.email);
    const target = { target_type: 'user', target_id: userId };
    await recordEvent(tx, deps, { event_type: 'user_updated', ...by, ...target, details: { released: true } });
  });
}
