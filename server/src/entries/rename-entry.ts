import type { Entry } from '@passwordbroker/core/contract/entities';
import { AppError } from '@passwordbroker/core/contract/problem';
import { can } from '@passwordbroker/core/domain/policy';
import { recordEvent } from '../audit/audit-log.ts';
import { lockEntry } from '../db/locks.ts';
import { indexEntryTitle } from '../db/text-search/search-index.ts';
import { findGroupInAct } from '../groups/group-repository.ts';
import type { Deps } from '../http/context.ts';
import type { Caller } from '../operations/caller.ts';
import { recordOperation } from '../operations/journal.ts';
import { restoreUntil } from '../operations/operation.ts';
import { readSiteSettings } from '../platform/site-settings-repository.ts';
import { requireRoom } from './entry-limits.ts';
import { asEntry, findAnyEntry, updateEntryTitle } from './entry-repository.ts';

interface Renaming {
  readonly groupId: string;
  readonly entryId: string;
  readonly title: string;
}

/** `operationId` is null if the title is unchanged. @throws AppError `not_found`, `forbidden` */
export async function renameEntry(
  deps: Deps,
  { actor, origin }: Caller,
  { groupId, entryId, title }: Renaming,
): Promise<{ readonly entry: Entry; readonly operationId: string | null }> {
  const { trash_days } = await readSiteSettings(deps);
  return deps.db.transactBeside(async (tx) => {
    await lockEntry(tx, entryId);
    const group = await findGroupInAct(tx, groupId, actor.userId);
    const entry = await findAnyEntry(tx, entryId);
    const isHere = entry !== undefined && entry.trashed_by === null && entry.entry_group_id === groupId;
    if (group === undefined || !isHere) throw new AppError('not_found');
    if (!can(group.role, 'entry.write')) throw new AppError('forbidden');
    if (entry.title === title) return { entry: asEntry(entry), operationId: null };
    const now = deps.clock.now();
    await requireRoom(tx, entryId, { fields: 0, text: title.length - entry.title.length });
    await updateEntryTitle(tx, entryId, title, now);
    await indexEntryTitle(tx, entryId, title, now);
    const operation = await recordOperation(tx, deps, {
      kind: 'rename',
      actor,
      target: { kind: 'entry', id: entryId, title, groupId },
      detail: { from: entry.title, to: title, updated_at: entry.updated_at },
      undoUntil: restoreUntil(now, trash_days),
    });
    await recordEvent(tx, deps, {
      event_type: 'entry_renamed',
      actor,
      origin,
      target_type: 'entry',
      target_id: entryId,
      details: { entry_group_id: groupId },
    });
    return { entry: asEntry({ ...entry, title, updated_at: now }), operationId: operation.operation_id };
  });
}
