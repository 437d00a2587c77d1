/** Checks and sets the parent of a group, for a move and for its undo (docs/spec/decisions.md G9). */
import { AppError } from '@passwordbroker/core/contract/problem';
import { isWithin } from '@passwordbroker/core/domain/groups/group-tree';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import type { Transact } from '../db/database.ts';
import { readDepthBelow, updateGroupPlace } from '../operations/trash/subtree-repository.ts';
import type { GroupRow } from './group-repository.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';

type Group = Pick<GroupRow, 'entry_group_id' | 'parent_entry_group_id' | 'materialized_path'>;

/** Whether the target is already the parent or lies in the group's own subtree: then nothing changes. */
export function staysWhereItIs(group: Group, target: Pick<GroupRow, 'entry_group_id' | 'materialized_path'> | null) {
  if (target === null) return group.parent_entry_group_id === null;
  return (
    target.entry_group_id === group.parent_entry_group_id || isWithin(target.materialized_path, group.entry_group_id)
  );
}

/**
 * Puts the group under the target (null: at the root) and updates the paths of its subtree, including the trash.
 * @throws AppError `conflict` if it would be nested too deep
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
