import type { Operation } from '@passwordbroker/core/contract/entities';
import { AppError } from '@passwordbroker/core/contract/problem';
import { can } from '@passwordbroker/core/domain/policy';
import { recordEvents } from '../audit/audit-log.ts';
import { findGroupInAct } from '../groups/group-repository.ts';
import type { Deps } from '../http/context.ts';
import type { Caller } from '../operations/caller.ts';
import { putIntoTrash } from '../operations/journal.ts';
import { readSiteSettings } from '../platform/site-settings-repository.ts';
import { chosenEntries } from './chosen-entries.ts';

/** All or none (docs/spec/decisions.md G11). @throws AppError `validation`, `not_found`, `forbidden` */
export async function removeEntries(
  deps: Deps,
  { actor, origin }: Caller,
  { groupId, entryIds }: { readonly groupId: string; readonly entryIds: readonly string[] },
): Promise<Operation> {
  const { trash_days } = await readSiteSettings(deps);
  return deps.db.transact(async (tx) => {
    const group = await findGroupInAct(tx, groupId, actor.userId);
    if (group === undefined) throw new AppError('not_found');
    if (!can(group.role, 'entry.write')) throw new AppError('forbidden');
    const chosen = await chosenEntries(tx, groupId, entryIds);
    const [first] = chosen;
    if (first === undefined) throw new AppError('not_found');
    const removal = await putIntoTrash(tx, deps, {
      actor,
      target: { kind: 'entry', id: first.entry_id, title: first.title, groupId },
      chosen: { entries: chosen.map(({ entry_id }) => entry_id) },
      trashDays: trash_days,
    });
    const by = { actor, origin };
    const { operation_id, counts } = removal;
    await recordEvents(tx, deps, [
      {
        event_type: 'entries_deleted',
        ...by,
        target_type: 'entry_group',
        target_id: groupId,
        details: { operation_id, ...counts },
      },
      ...chosen.map(({ entry_id }) => ({
        event_type: 'entry_deleted' as const,
        ...by,
        target_type: 'entry',
        target_id: entry_id,
        details: { entry_group_id: groupId, operation_id },
      })),
    ]);
    return removal;
  });
}
