import { AppError } from '@passwordbroker/core/contract/problem';
import { foldText } from '@passwordbroker/core/domain/search-query';
import { can } from '@passwordbroker/core/domain/policy';
import { recordEvent } from '../audit/audit-log.ts';
import type { Deps } from '../http/context.ts';
import { recordOperation } from '../operations/journal.ts';
import { restoreUntil } from '../operations/operation.ts';
import { readSiteSettings } from '../platform/site-settings-repository.ts';
import type { Caller } from '../operations/caller.ts';
import { findGroupInAct, updateGroupName } from './group-repository.ts';

/** Returns the operation id, or null if the name is unchanged. @throws AppError `not_found`, `forbidden` */
export async function renameGroup(
  deps: Deps,
  { actor, origin }: Caller,
  { groupId, name }: { readonly groupId: string; readonly name: string },
): Promise<string | null> {
  const { trash_days } = await readSiteSettings(deps);
  return deps.db.transact(async (tx) => {
    const group = await findGroupInAct(tx, groupId, actor.userId);
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
