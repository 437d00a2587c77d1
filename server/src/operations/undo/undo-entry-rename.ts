import type { Operation } from '@passwordbroker/core/contract/entities';
import { AppError } from '@passwordbroker/core/contract/problem';
import { can } from '@passwordbroker/core/domain/policy';
import { recordEvent } from '../../audit/audit-log.ts';
import { indexEntryTitle } from '../../db/text-search/search-index.ts';
import { requireRoom } from '../../entries/entry-limits.ts';
import { findAnyEntry } from '../../entries/entry-repository.ts';
import { findGroupInAct } from '../../groups/group-repository.ts';
import type { Deps } from '../../http/context.ts';
import type { Caller } from '../caller.ts';
import { renameDetail } from '../detail.ts';
import type { OperationRow } from '../operation.ts';
import { isFollowed } from '../operation-repository.ts';
import { changedSince, endAct, refuseOthers, updatedAtBefore } from './take-back.ts';

/** @throws AppError `not_found`, `forbidden`; `conflict` if renamed since */
export async function undoEntryRename(
  { deps, actor, origin }: Caller & { readonly deps: Deps },
  operation: OperationRow,
): Promise<Operation> {
  refuseOthers({ actor, origin }, operation);
  const { from, to, updated_at } = renameDetail(operation);
  return deps.db.transact(async (tx) => {
    const undone = await endAct(tx, deps, operation);
    const entry = await findAnyEntry(tx, operation.target_id);
    if (entry === undefined || entry.trashed_by !== null) throw new AppError('not_found');
    const group = await findGroupInAct(tx, entry.entry_group_id, actor.userId);
    if (group === undefined) throw new AppError('not_found');
    if (!can(group.role, 'entry.write')) throw new AppError('forbidden');
    if (entry.title !== to || (await isFollowed(tx, operation))) throw changedSince();
    await requireRoom(tx, entry.entry_id, { fields: 0, text: from.length - to.length });
    const updatedAt = updatedAtBefore(entry, operation, updated_at);
    await tx
      .updateTable('entries')
      .set({ title: from, updated_at: updatedAt })
      .where('entry_id', '=', entry.entry_id)
      .execute();
    await indexEntryTitle(tx, entry.entry_id, from, updatedAt);
    await recordEvent(tx, deps, {
      event_type: 'entry_renamed',
      actor,
      origin,
      target_type: 'entry',
      target_id: entry.entry_id,
      details: { entry_group_id: entry.entry_group_id, undo_of: operation.operation_id },
    });
    return undone;
  });
}
