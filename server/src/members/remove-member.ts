import { MEMBER_TEXTS } from '@passwordbroker/core/contract/groups/members';
import { AppError } from '@passwordbroker/core/contract/problem';
import { recordEvent } from '../audit/audit-log.ts';
import type { Deps } from '../http/context.ts';
import type { Caller } from '../operations/caller.ts';
import { groupInAct } from './judged-change.ts';
import { deleteMember, markRotationDue } from './change-repository.ts';
import { recordDeparture } from '../former-members/record-former-member.ts';
import { findRole } from './present-repository.ts';

export interface Removal {
  readonly entry_group_id: string;
  readonly user_id: string;
  readonly rotation_due: boolean;
}

/**
 * An admin's client rotates the key later (docs/spec/decisions.md G6).
 * @throws AppError `forbidden` for oneself and other admins, `not_found`
 */
export async function removeMember(deps: Deps, caller: Caller, groupId: string, userId: string): Promise<Removal> {
  const { actor, origin } = caller;
  await deps.db.transact(async (tx) => {
    await groupInAct(tx, caller, groupId);
    if (userId === actor.userId) throw new AppError('forbidden', { message: MEMBER_TEXTS.oneself });
    const role = await findRole(tx, groupId, userId);
    if (role === null) throw new AppError('not_found');
    if (role === 'admin') throw new AppError('forbidden', { message: MEMBER_TEXTS.otherAdmin });
    // Comes first, because it reads the membership.
    await recordDeparture(tx, deps, { userId, groupIds: [groupId], cause: 'removed' });
    await deleteMember(tx, groupId, userId);
    await markRotationDue(tx, groupId);
    await recordEvent(tx, deps, {
      event_type: 'role_removed',
      actor,
      origin,
      target_type: 'entry_group',
      target_id: groupId,
      details: { user_id: userId, role },
    });
  });
  return { entry_group_id: groupId, user_id: userId, rotation_due: true };
}
