import { TEXTS } from '@passwordbroker/core/contract/inputs';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import { can } from '@passwordbroker/core/domain/policy';
import { recordEvent } from '../audit/audit-log.ts';
import type { Deps } from '../http/context.ts';
import type { Caller } from '../operations/caller.ts';
import { recordOperation } from '../operations/journal.ts';
import { restoreUntil } from '../operations/operation.ts';
import { readSiteSettings } from '../platform/site-settings-repository.ts';
import { findGroupInAct } from './group-repository.ts';
import { placeGroup, staysWhereItIs } from './place-group.ts';

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
    const group = await findGroupInAct(tx, groupId, actor.userId);
    if (group === undefined) throw new AppError('not_found');
    if (!can(group.role, 'group.move')) throw new AppError('forbidden');
    const target = targetId === undefined ? null : await findGroupInAct(tx, targetId, actor.userId);
    if (target === undefined) throw refuse(TARGET, TEXTS.unknown(TARGET));
    if (staysWhereItIs(group, target)) return null;
    if (target !== null && !can(target.role, 'group.move'))
      throw new AppError('forbidden', { message: NO_RIGHT_THERE });
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
