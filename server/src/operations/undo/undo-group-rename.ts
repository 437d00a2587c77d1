/** A group gets the name back that it had. */
import type { Operation } from '@passwordbroker/core/contract/entities';
import { AppError } from '@passwordbroker/core/contract/problem';
import { foldText } from '@passwordbroker/core/domain/fold-text';
import { can } from '@passwordbroker/core/domain/policy';
import { recordEvent } from '../../audit/audit-log.ts';
import { findGroupInAct, updateGroupName } from '../../groups/group-repository.ts';
import type { Deps } from '../../http/context.ts';
import type { Caller } from '../caller.ts';
import { renameDetail } from '../detail.ts';
import type { OperationRow } from '../operation.ts';
import { isFollowed } from '../operation-repository.ts';
import { changedSince, endAct, refuseOthers, updatedAtBefore } from './take-back.ts';

/** @throws AppError `forbidden` without the right to rename it now; `conflict` when it has been renamed since */
export async function undoGroupRename(
  { deps, actor, origin }: Caller & { readonly deps: Deps },
  operation: OperationRow,
): Promise<Operation> {
  refuseOthers({ actor, origin }, operation);
  const { from, to, updated_at } = renameDetail(operation);
  const groupId = operation.target_id;
  return deps.db.transact(async (tx) => {
    const undone = await endAct(tx, deps, operation);
    const group = await findGroupInAct(tx, groupId, actor.userId);
    if (group === undefined) throw new AppError('not_found');
    if (!can(group.role, 'group.rename')) throw new AppError('forbidden');
    if (group.name !== to || (await isFollowed(tx, operation))) throw changedSince();
    const columns = {
      name: from,
      name_folded: foldText(from),
      updated_at: updatedAtBefore(group, operation, updated_at),
    };
    await updateGroupName(tx, groupId, columns);
    await recordEvent(tx, deps, {
      event_type: 'group_renamed',
      actor,
      origin,
      target_type: 'entry_group',
      target_id: groupId,
      details: { undo_of: operation.operation_id },
    });
    return undone;
  });
}
