import { findGroup } from '../../http/auth/path-repository.ts';
import type { Operation } from '@passwordbroker/core/contract/entities';
import { AppError } from '@passwordbroker/core/contract/problem';
import type { Transact } from '../../db/database.ts';
import type { Deps, Caller } from '../../http/context.ts';
import {
  asOperation,
  type OperationRow,
  renameDetail,
  moveDetail,
  markUndone,
  isFollowed,
  putIntoTrash,
} from '../journal.ts';
import { entriesTouchedByOthers } from '../trash/subtree-repository.ts';
import { readSiteSettings } from '../../platform/site-settings-repository.ts';
import { SERVER_TEXTS } from '../../platform/texts.ts';
import { can } from '@passwordbroker/core/domain/policy';
import { recordEvent } from '../../audit/audit-log.ts';
import { indexEntryTitle } from '../../db/text-search/search-index.ts';
import { requireRoom } from '../../entries/entry-checks.ts';
import { findAnyEntry } from '../../entries/entry-repository.ts';
import { NO_RIGHT_THERE, placeGroup, staysWhereItIs } from '../../groups/change-group.ts';

/** @throws AppError `forbidden` for another person's operation */
export function refuseOthers({ actor }: Caller, operation: OperationRow): void {
  if (operation.user_id !== actor.userId) throw new AppError('forbidden');
}

export const changedSince = () => new AppError('conflict', { message: SERVER_TEXTS.changedSince });

/** @throws AppError `not_found` if another request was faster */
export async function endOperation(
  tx: Transact,
  { clock }: Pick<Deps, 'clock'>,
  operation: OperationRow,
): Promise<Operation> {
  if (!(await markUndone(tx, operation.operation_id, clock.now()))) throw new AppError('not_found');
  return asOperation({ ...operation, undo_until: null });
}

/** Returns the time before the rename, unless something else has changed since. */
export const updatedAtBefore = (
  row: { readonly updated_at: number },
  operation: OperationRow,
  before: number,
): number => (row.updated_at <= operation.created_at ? before : row.updated_at);

/** @throws AppError `not_found`, `forbidden`; `conflict` if renamed since */
export async function undoEntryRename(
  { deps, actor, origin }: Caller & { readonly deps: Deps },
  operation: OperationRow,
): Promise<Operation> {
  refuseOthers({ actor, origin }, operation);
  const { from, to, updated_at } = renameDetail(operation);
  return deps.db.transact(async (tx) => {
    const undone = await endOperation(tx, deps, operation);
    const entry = await findAnyEntry(tx, operation.target_id);
    if (entry === undefined || entry.trashed_by !== null) throw new AppError('not_found');
    const group = await findGroup({ read: tx }, entry.entry_group_id, actor.userId);
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

/**
 * Puts a created entry with all its fields into the trash.
 * @throws AppError `not_found`, `forbidden`; `conflict` if it was moved or others have changed it since
 */
export async function undoEntryCreation(
  { deps, actor, origin }: Caller & { readonly deps: Deps },
  operation: OperationRow,
): Promise<Operation> {
  refuseOthers({ actor, origin }, operation);
  const { trash_days } = await readSiteSettings(deps);
  return deps.db.transact(async (tx) => {
    await endOperation(tx, deps, operation);
    const entry = await findAnyEntry(tx, operation.target_id);
    if (entry === undefined || entry.trashed_by !== null) throw new AppError('not_found');
    const { entry_id: entryId, entry_group_id: groupId, title } = entry;
    const group = await findGroup({ read: tx }, groupId, actor.userId);
    if (group === undefined) throw new AppError('not_found');
    if (!can(group.role, 'entry.write')) throw new AppError('forbidden');
    if (groupId !== operation.entry_group_id || (await entriesTouchedByOthers(tx, [entryId], actor.userId)).size > 0) {
      throw changedSince();
    }
    const removal = await putIntoTrash(tx, deps, {
      actor,
      target: { kind: 'entry', id: entryId, title, groupId },
      chosen: { entries: [entryId] },
      trashDays: trash_days,
    });
    await recordEvent(tx, deps, {
      event_type: 'entry_deleted',
      actor,
      origin,
      target_type: 'entry',
      target_id: entryId,
      details: {
        entry_group_id: groupId,
        operation_id: removal.operation_id,
        undo_of: operation.operation_id,
      },
    });
    return removal;
  });
}

/** @throws AppError `not_found`, `forbidden`; `conflict` if it was moved since or the target is below it */
export async function undoGroupMove(
  { deps, actor, origin }: Caller & { readonly deps: Deps },
  operation: OperationRow,
): Promise<Operation> {
  refuseOthers({ actor, origin }, operation);
  const { from_group, to_group } = moveDetail(operation);
  const groupId = operation.target_id;
  return deps.db.transact(async (tx) => {
    const undone = await endOperation(tx, deps, operation);
    const group = await findGroup({ read: tx }, groupId, actor.userId);
    if (group === undefined) throw new AppError('not_found');
    if (!can(group.role, 'group.move')) throw new AppError('forbidden');
    const target = from_group === null ? null : await findGroup({ read: tx }, from_group, actor.userId);
    if (target === undefined || (target !== null && !can(target.role, 'group.move'))) {
      throw new AppError('forbidden', { message: NO_RIGHT_THERE });
    }
    const isThere = group.parent_entry_group_id === to_group && !(await isFollowed(tx, operation));
    if (!isThere || staysWhereItIs(group, target)) throw changedSince();
    await placeGroup(tx, group, target);
    await recordEvent(tx, deps, {
      event_type: 'group_moved',
      actor,
      origin,
      target_type: 'entry_group',
      target_id: groupId,
      details: { undo_of: operation.operation_id, from: to_group, to: from_group },
    });
    return undone;
  });
}
