import { findGroup } from '../http/auth/path-repository.ts';
import type { create } from '@passwordbroker/core/contract/entries/entries';
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import type { Entry, Operation } from '@passwordbroker/core/contract/entities';
import { AppError } from '@passwordbroker/core/contract/problem';
import { can } from '@passwordbroker/core/domain/policy';
import { recordEvent, recordEvents } from '../audit/audit-log.ts';
import { indexEntries, indexEntryTitle } from '../db/text-search/search-index.ts';
import { type Answer, answer } from '../http/answer/answer.ts';
import type { Context, Deps, Caller } from '../http/context.ts';
import { digestOfCreate, isRepeat, rememberCreate } from '../http/answer/created-request-repository.ts';
import { asEntry, findAnyEntry, insertEntry, updateEntryTitle } from './entry-repository.ts';
import { marksAfter, NO_MARKS } from './mark-entry.ts';
import { indexTags } from './tag-repository.ts';
import { lockEntry } from '../db/locks.ts';
import { findCreation, putIntoTrash, recordOperation, restoreUntil, undoImportUntil } from '../operations/journal.ts';
import { readSiteSettings } from '../platform/site-settings-repository.ts';
import { requireRoom, chosenEntries } from './entry-checks.ts';

/** Returns 201, or 200 for a repeat; names the operation that takes the entry back. @throws AppError `id_taken`, `not_found` */
export async function createEntry(context: Context<typeof create, BodyOf<typeof create>>): Promise<Answer<Entry>> {
  const { deps, actor, origin, group, body } = context;
  const entryId = body.entry_id ?? deps.newId();
  // Without a client's id repeats cannot be recognised.
  const digest = body.entry_id === undefined ? null : digestOfCreate(context, [group.entry_group_id, body]);
  const made = await deps.db.transactBeside(async (tx) => {
    const known = await findAnyEntry(tx, entryId);
    if (await isRepeat(tx, entryId, actor.userId, digest)) {
      // The first request may have committed between the reads.
      const before = known ?? (await findAnyEntry(tx, entryId));
      // Moved meanwhile, perhaps to a group that the person may not read.
      const isHere = before?.trashed_by === null && before.entry_group_id === group.entry_group_id;
      if (!isHere) throw new AppError('id_taken');
      return { status: 200, row: before, operationId: await findCreation(tx, entryId) };
    }
    if (known !== undefined) throw new AppError('id_taken');
    const current = await findGroup({ read: tx }, group.entry_group_id, actor.userId);
    if (current === undefined) throw new AppError('not_found');
    if (!can(current.role, 'entry.write')) throw new AppError('forbidden');
    const now = deps.clock.now();
    const row = {
      entry_id: entryId,
      entry_group_id: group.entry_group_id,
      title: body.title,
      ...marksAfter(NO_MARKS, body, now),
      created_by: actor.userId,
      created_at: now,
      updated_at: now,
      trashed_by: null,
    };
    await insertEntry(tx, row);
    await indexEntries(tx, [entryId]);
    if (row.tags !== null) await indexTags(tx, row);
    await rememberCreate(tx, { id: entryId, userId: actor.userId, digest, now });
    const operation = await recordOperation(tx, deps, {
      kind: 'create',
      actor,
      target: { kind: 'entry', id: entryId, title: body.title, groupId: group.entry_group_id },
      counts: { entry_groups: 0, entries: 1, fields: 0 },
      undoUntil: undoImportUntil(now),
    });
    await recordEvent(tx, deps, {
      event_type: 'entry_created',
      actor,
      origin,
      target_type: 'entry',
      target_id: entryId,
      details: { entry_group_id: group.entry_group_id },
    });
    return { status: 201, row, operationId: operation.operation_id };
  });
  if (made.operationId !== null) context.head.setHeader('x-operation-id', made.operationId);
  return answer(made.status, asEntry(made.row));
}

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
    const group = await findGroup({ read: tx }, groupId, actor.userId);
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

/** All or none (docs/spec/decisions.md G11). @throws AppError `validation`, `not_found`, `forbidden` */
export async function removeEntries(
  deps: Deps,
  { actor, origin }: Caller,
  { groupId, entryIds }: { readonly groupId: string; readonly entryIds: readonly string[] },
): Promise<Operation> {
  const { trash_days } = await readSiteSettings(deps);
  return deps.db.transact(async (tx) => {
    const group = await findGroup({ read: tx }, groupId, actor.userId);
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
