import type { Operation } from '@passwordbroker/core/contract/entities';
import { AppError } from '@passwordbroker/core/contract/problem';
import { can } from '@passwordbroker/core/domain/policy';
import { recordEvent } from '../../audit/audit-log.ts';
import { findGroupInAct } from '../../groups/group-repository.ts';
import { NO_RIGHT_THERE } from '../../groups/move-group.ts';
import { placeGroup, staysWhereItIs } from '../../groups/place-group.ts';
import type { Deps } from '../../http/context.ts';
import type { Caller } from '../caller.ts';
import { moveDetail } from '../detail.ts';
import type { OperationRow } from '../operation.ts';
import { isFollowed } from '../operation-repository.ts';
import { changedSince, endAct, refuseOthers } from './take-back.ts';

/** @throws AppError `not_found`, `forbidden`; `conflict` if it was moved since or the target is below it */
export async function undoGroupMove(
  { deps, actor, origin }: Caller & { readonly deps: Deps },
  operation: OperationRow,
): Promise<Operation> {
  refuseOthers({ actor, origin }, operation);
  const { from_group, to_group } = moveDetail(operation);
  const groupId = operation.target_id;
  return deps.db.transact(async (tx) => {
    const undone = await endAct(tx, deps, operation);
    const group = await findGroupInAct(tx, groupId, actor.userId);
    if (group === undefined) throw new AppError('not_found');
    if (!can(group.role, 'group.move')) throw new AppError('forbidden');
    const target = from_group === null ? null : await findGroupInAct(tx, from_group, actor.userId);
    if (target === undefined || (target !== null && !can(target.role, 'group.move'))) {
      throw new AppError('forbidden', { message: NO_RIGHT_THERE });
    }
    const isThere = group.parent_entry_group_id === to_group && !(await isFollowed(tx, operation));
    if (!isThere || staysWhereItIs(group, target)) throw changedSince();
    await placeGroup(tx, group, target);
    await recordEvent(tx, deps, {
      event_type: 'group_moved',
      actor,
      origin,
      target_type: 'entry_group',
      target_id: groupId,
      details: { undo_of: operation.operation_id, from: to_group, to: from_group },
    });
    return undone;
  });
}
