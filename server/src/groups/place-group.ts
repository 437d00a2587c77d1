/** Where a group may go, and going there with everything below it: for a move and for taking one back (docs/spec/decisions.md G9). */
import { AppError } from '@passwordbroker/core/contract/problem';
import { isWithin } from '@passwordbroker/core/domain/groups/group-tree';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import type { Transact } from '../db/database.ts';
import { readDepthBelow, updateGroupPlace } from '../operations/trash/subtree-repository.ts';
import type { GroupRow } from './group-repository.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';

type Group = Pick<GroupRow, 'entry_group_id' | 'parent_entry_group_id' | 'materialized_path'>;

/** Whether the group is there already, or the target lies in what would move: then nothing happens. */
export function staysWhereItIs(group: Group, target: Pick<GroupRow, 'entry_group_id' | 'materialized_path'> | null) {
  if (target === null) return group.parent_entry_group_id === null;
  return (
    target.entry_group_id === group.parent_entry_group_id || isWithin(target.materialized_path, group.entry_group_id)
  );
}

/**
 * Puts the group under the target (null: at the root). The paths of the whole subtree change, of what lies in the trash too, so that it comes back
 * where it belongs. @throws AppError `conflict` when it would be nested too deep
 */
export async function placeGroup(
  tx: Transact,
  group: Group,
  target: Pick<GroupRow, 'entry_group_id' | 'materialized_path'> | null,
): Promise<void> {
  const above = target === null ? '' : `${target.materialized_path}.`;
  const path = `${above}${group.entry_group_id}`;
  const depth = path.split('.').length + (await readDepthBelow(tx, group.materialized_path));
  if (depth > LIMITS.treeDepth) {
    throw new AppError('conflict', { message: SERVER_TEXTS.tooDeep(LIMITS.treeDepth) });
  }
  await updateGroupPlace(tx, {
    groupId: group.entry_group_id,
    parentId: target?.entry_group_id ?? null,
    from: group.materialized_path,
    to: path,
  });
}
