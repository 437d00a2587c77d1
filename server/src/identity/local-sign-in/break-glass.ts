/** Site admins whose account password and passkeys sign in even while local sign-in is off. */
import type { User } from '@passwordbroker/core/contract/entities';
import { AppError } from '@passwordbroker/core/contract/problem';
import { findAccountInTransaction, updateUser } from '../../accounts/account-repository.ts';
import { demandSiteAdmin } from '../../accounts/change-account.ts';
import { recordEvent } from '../../audit/audit-log.ts';
import type { Database, Transact } from '../../db/database.ts';
import { isBreakGlass } from '../../http/auth/session.ts';
import type { Deps, Operator, RequestContext } from '../../http/context.ts';
import { noticeToSiteAdmins } from '../../mail/outbox-repository.ts';
import { readSiteSignIn } from '../../platform/site-settings-repository.ts';
import { SERVER_TEXTS } from '../../platform/texts.ts';
import { readAccount } from '../../users/find-people.ts';
import type { UserRow } from '../../users/user-repository.ts';
import { countRecoveryCodes, findTotp } from '../factors/factor-repository.ts';
import { endLocalSessions } from './end-local-sessions.ts';

/** Ids of the enabled accounts for which `isBreakGlass` holds, as a query. */
export const breakGlassIds = (db: Database['read'] | Transact) =>
  db
    .selectFrom('users')
    .select('users.user_id')
    .where('break_glass', '=', 1)
    .where('is_admin', '=', 1)
    .where('has_password', '=', 1)
    .where('factor_state', '!=', 'none')
    .where('disabled_at', 'is', null);

export const countBreakGlass = async (db: Database['read'] | Transact): Promise<number> =>
  (await breakGlassIds(db).execute()).length;

/** @throws AppError `not_found`; `conflict` for an account that could not sign in so, or the last one while it is needed */
export async function setBreakGlass(deps: Deps, by: Operator, userId: string, status: boolean): Promise<User> {
  await deps.db.transact(async (tx) => {
    await demandSiteAdmin(tx, by.actor);
    const user = await findAccountInTransaction(tx, userId);
    if (user === undefined) throw new AppError('not_found');
    if (status && !(isBreakGlass({ ...user, break_glass: 1 }) && (await worksOnAnyHost(tx, userId, deps)))) {
      throw new AppError('conflict', { message: SERVER_TEXTS.breakGlassNeeds });
    }
    const isLast = !status && isBreakGlass(user) && (await countBreakGlass(tx)) === 1;
    if (isLast && (await readSiteSignIn({ db: { read: tx } })).local_sign_in === 'off') {
      throw new AppError('conflict', { message: SERVER_TEXTS.lastBreakGlass });
    }
    if ((user.break_glass === 1) === status) return;
    await updateUser(tx, userId, { break_glass: status ? 1 : 0 }, deps.clock.now());
    if (!status) await endLocalSessions(tx, deps, userId);
    const target = { target_type: 'user', target_id: userId, details: { status } };
    await recordEvent(tx, deps, { event_type: 'break_glass_changed', ...by, ...target });
    const notice = status ? 'break-glass named' : 'break-glass ended';
    await noticeToSiteAdmins(tx, deps, notice, { about: user.name, origin: by.origin, by: by.actor });
  });
  return readAccount(deps, userId);
}

/** A security key works on one host only. */
const worksOnAnyHost = async (tx: Transact, userId: string, { clock }: Pick<Deps, 'clock'>): Promise<boolean> =>
  (await findTotp(tx, userId)) !== undefined || (await countRecoveryCodes(tx, userId, clock.now())) > 0;

/** Records a sign-in of a break-glass account while others cannot sign in, and tells all site admins. */
export async function recordBreakGlass(
  tx: Transact,
  deps: Deps,
  { origin }: RequestContext,
  user: UserRow,
): Promise<void> {
  const actor = { userId: user.user_id, email: user.email };
  await recordEvent(tx, deps, { event_type: 'break_glass_login', actor, origin });
  await noticeToSiteAdmins(tx, deps, 'break-glass used', { origin, by: user });
}
