import type { Operation } from '@passwordbroker/core/contract/entities';
import { AppError } from '@passwordbroker/core/contract/problem';
import { can } from '@passwordbroker/core/domain/policy';
import { recordEvent } from '../audit/audit-log.ts';
import type { Deps } from '../http/context.ts';
import type { Caller } from '../operations/caller.ts';
import { putIntoTrash } from '../operations/journal.ts';
import { countLivingNotAdministered, livingGroups } from '../operations/trash/subtree-repository.ts';
import { readSiteSettings } from '../platform/site-settings-repository.ts';
import { findGroupInAct } from './group-repository.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';

/**
 * Trashes the subtree (docs/spec/decisions.md G10).
 * @throws AppError `not_found`, `forbidden`; `conflict` for groups below without the caller as admin
 */
export async function removeGroup(deps: Deps, { actor, origin }: Caller, groupId: string): Promise<Operation> {
  const { trash_days } = await readSiteSettings(deps);
  return deps.db.transact(async (tx) => {
    const group = await findGroupInAct(tx, groupId, actor.userId);
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
