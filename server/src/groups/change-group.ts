import { findGroup } from '../http/auth/path-repository.ts';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import { foldText } from '@passwordbroker/core/domain/search-text';
import { can } from '@passwordbroker/core/domain/policy';
import { recordEvent } from '../audit/audit-log.ts';
import type { Actor, Deps, Caller } from '../http/context.ts';
import { recordOperation, putIntoTrash, restoreUntil } from '../operations/journal.ts';
import { readSiteSettings } from '../platform/site-settings-repository.ts';
import { updateGroupName, type GroupRow } from './group-repository.ts';
import { TEXTS } from '@passwordbroker/core/contract/inputs';
import { isWithin } from '@passwordbroker/core/domain/groups/group-tree';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import type { Database, Transact } from '../db/database.ts';
import {
  readDepthBelow,
  updateGroupPlace,
  countLivingNotAdministered,
  livingGroups,
} from '../operations/trash/subtree-repository.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';
import type { Operation } from '@passwordbroker/core/contract/entities';

/** Returns the operation id, or null if the name is unchanged. @throws AppError `not_found`, `forbidden` */
export async function renameGroup(
  deps: Deps,
  { actor, origin }: Caller,
  { groupId, name }: { readonly groupId: string; readonly name: string },
): Promise<string | null> {
  const { trash_days } = await readSiteSettings(deps);
  return deps.db.transact(async (tx) => {
    const group = await findGroup({ read: tx }, groupId, actor.userId);
    if (group === undefined) throw new AppError('not_found');
    if (!can(group.role, 'group.rename')) throw new AppError('forbidden');
    if (group.name === name) return null;
    const now = deps.clock.now();
    await updateGroupName(tx, groupId, { name, name_folded: foldText(name), updated_at: now });
    const operation = await recordOperation(tx, deps, {
      kind: 'rename',
      actor,
      target: { kind: 'entry_group', id: groupId, title: name, groupId: group.parent_entry_group_id },
      detail: { from: group.name, to: name, updated_at: group.updated_at },
      undoUntil: restoreUntil(now, trash_days),
    });
    await recordEvent(tx, deps, {
      event_type: 'group_renamed',
      actor,
      origin,
      target_type: 'entry_group',
      target_id: groupId,
    });
    return operation.operation_id;
  });
}

const TARGET = 'entryGroupTarget';
export const NO_RIGHT_THERE = "You don't have permission to move to that group";

/**
 * Without `targetId` to the root. Returns null if the move is impossible (docs/spec/decisions.md G9). One
 * transaction, so that two moves cannot create a cycle.
 * @throws AppError `validation`, `forbidden`, `conflict`, `not_found`
 */
export async function moveGroup(
  deps: Deps,
  { actor, origin }: Caller,
  { groupId, targetId }: { readonly groupId: string; readonly targetId: string | undefined },
): Promise<string | null> {
  const { trash_days } = await readSiteSettings(deps);
  return deps.db.transact(async (tx) => {
    const move = await checkMove({ read: tx }, actor, { groupId, targetId });
    if (move === null) return null;
    const { group, target } = move;
    await placeGroup(tx, group, target);
    const operation = await recordOperation(tx, deps, {
      kind: 'move',
      actor,
      target: { kind: 'entry_group', id: groupId, title: group.name, groupId: target?.entry_group_id ?? null },
      detail: { from_group: group.parent_entry_group_id, to_group: target?.entry_group_id ?? null },
      undoUntil: restoreUntil(deps.clock.now(), trash_days),
    });
    await recordEvent(tx, deps, {
      event_type: 'group_moved',
      actor,
      origin,
      target_type: 'entry_group',
      target_id: groupId,
      details: { from: group.parent_entry_group_id, to: target?.entry_group_id ?? null },
    });
    return operation.operation_id;
  });
}

/** Returns null if the group stays where it is. @throws AppError `not_found`, `forbidden`, `validation` */
export async function checkMove(
  db: Pick<Database, 'read'>,
  { userId }: Pick<Actor, 'userId'>,
  { groupId, targetId }: { readonly groupId: string; readonly targetId: string | undefined },
) {
  const group = await findGroup(db, groupId, userId);
  if (group === undefined) throw new AppError('not_found');
  if (!can(group.role, 'group.move')) throw new AppError('forbidden');
  const target = targetId === undefined ? null : await findGroup(db, targetId, userId);
  if (target === undefined) throw refuse(TARGET, TEXTS.unknown(TARGET));
  if (staysWhereItIs(group, target)) return null;
  if (target !== null && !can(target.role, 'group.move')) throw new AppError('forbidden', { message: NO_RIGHT_THERE });
  return { group, target };
}

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

/**
 * Trashes the subtree (docs/spec/decisions.md G10).
 * @throws AppError `not_found`, `forbidden`; `conflict` for groups below without the caller as admin
 */
export async function removeGroup(deps: Deps, { actor, origin }: Caller, groupId: string): Promise<Operation> {
  const { trash_days } = await readSiteSettings(deps);
  return deps.db.transact(async (tx) => {
    const group = await findGroup({ read: tx }, groupId, actor.userId);
    if (group === undefined) throw new AppError('not_found');
    if (!can(group.role, 'group.delete')) throw new AppError('forbidden');
    const count = await countLivingNotAdministered(tx, group.materialized_path, actor.userId);
    if (count > 0) {
      throw new AppError('conflict', {
        message: SERVER_TEXTS.notAdminBelow(count),
        details: { count },
      });
    }
    const removal = await putIntoTrash(tx, deps, {
      actor,
      target: { kind: 'entry_group', id: groupId, title: group.name, groupId: group.parent_entry_group_id },
      chosen: { groups: await livingGroups(tx, group.materialized_path) },
      trashDays: trash_days,
    });
    await recordEvent(tx, deps, {
      event_type: 'group_deleted',
      actor,
      origin,
      target_type: 'entry_group',
      target_id: groupId,
      details: { ...removal.counts },
    });
    return removal;
  });
}
