import { AppError } from '@passwordbroker/core/contract/problem';
import { isWithin } from '@passwordbroker/core/domain/groups/group-tree';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import type { Transact } from '../db/database.ts';
import { readDepthBelow, updateGroupPlace } from '../operations/trash/subtree-repository.ts';
import type { GroupRow } from './group-repository.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';

type Group = Pick<GroupRow, 'entry_group_id' | 'parent_entry_group_id' | 'materialized_path'>;

/** True if the target is the parent already, or inside the group's own subtree. */
export function staysWhereItIs(group: Group, target: Pick<GroupRow, 'entry_group_id' | 'materialized_path'> | null) {
  if (target === null) return group.parent_entry_group_id === null;
  return (
    target.entry_group_id === group.parent_entry_group_id || isWithin(target.materialized_path, group.entry_group_id)
  );
}

/** Also updates the paths of the subtree. @throws AppError `conflict` if too deep */
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
