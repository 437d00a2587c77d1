import type { AnswerOf, BodyOf } from '@passwordbroker/core/contract/endpoint';
import type { Operation } from '@passwordbroker/core/contract/entities';
import type { undo } from '@passwordbroker/core/contract/entries/operations';
import { AppError } from '@passwordbroker/core/contract/problem';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { recordEvent } from '../../audit/audit-log.ts';
import type { Transact } from '../../db/database.ts';
import { portions } from '../../db/portions.ts';
import type { Caller, Context, Deps } from '../../http/context.ts';
import { readSiteSettings } from '../../platform/site-settings-repository.ts';
import { SERVER_TEXTS } from '../../platform/texts.ts';
import { markUndone, putIntoTrash, readDetail, type OperationRow } from '../journal.ts';
import { findRoot, isSeenByOthers, readSubtrees } from '../trash/subtree-repository.ts';
import type { Things } from '../trash/trash-repository.ts';
import { listOwnImported } from './imported-repository.ts';
import { restoreValues } from './restore-values.ts';
import { endOperation, refuseOthers } from './undo-changes.ts';

type UndoContext = Context<typeof undo, BodyOf<typeof undo>>;

export const isIntoGroups = (operation: OperationRow): boolean => 'digest' in readDetail(operation);

/** @throws AppError `not_found`, `forbidden`; `conflict` if others have changed it since */
export async function undoImport(deps: Deps, { actor, origin }: Caller, imported: OperationRow): Promise<Operation> {
  const { trash_days } = await readSiteSettings(deps);
  return deps.db.transact(async (tx) => {
    const root = await findRoot(tx, imported.target_id, actor.userId);
    if (imported.user_id !== actor.userId) throw new AppError('forbidden');
    if (root === undefined) throw new AppError('not_found');
    if (root.role !== 'admin') throw new AppError('forbidden');
    const subtree = (await readSubtrees(tx, [imported.target_id], actor.userId)).get(imported.target_id);
    if (subtree?.isChanged !== false || (await isSeenByOthers(tx, root.materialized_path, actor.userId))) {
      throw new AppError('conflict', { message: SERVER_TEXTS.importChanged });
    }
    if (!(await markUndone(tx, imported.operation_id, deps.clock.now()))) throw new AppError('not_found');
    const removal = await putIntoTrash(tx, deps, {
      actor,
      target: { kind: 'entry_group', id: imported.target_id, title: root.name, groupId: null },
      chosen: { groups: subtree.living },
      trashDays: trash_days,
    });
    await recordEvent(tx, deps, {
      event_type: 'group_deleted',
      actor,
      origin,
      target_type: 'entry_group',
      target_id: imported.target_id,
      details: { undo_of: imported.operation_id, ...removal.counts },
    });
    return removal;
  });
}

/**
 * Undoes an import into existing groups: what is new goes to the trash unless others have changed it since, and the
 * values that it changed get their former content as a further revision.
 * @throws AppError `not_found`, `forbidden`; as `restoreValues`
 */
export async function undoImportInto(
  { deps, actor, origin, body }: UndoContext,
  imported: OperationRow,
): Promise<AnswerOf<typeof undo>> {
  refuseOthers({ actor, origin }, imported);
  const { trash_days: trashDays } = await readSiteSettings(deps);
  return deps.db.transact(async (tx) => {
    const ended = await endOperation(tx, deps, imported);
    const { updates, leave } = body;
    const restored = await restoreValues(tx, deps, { actor, operationId: imported.operation_id, updates, leave });
    const { own, left } = await listOwnImported(tx, imported.operation_id, actor.userId);
    const removals = await putAway(tx, deps, { actor, own, groupId: imported.target_id, trashDays });
    const counts = { entry_groups: 0, entries: 0, fields: 0 };
    for (const removal of removals) {
      counts.entry_groups += removal.counts.entry_groups;
      counts.entries += removal.counts.entries;
      counts.fields += removal.counts.fields;
    }
    await recordEvent(tx, deps, {
      event_type: 'entries_deleted',
      actor,
      origin,
      target_type: 'entry_group',
      target_id: imported.target_id,
      details: { undo_of: imported.operation_id, ...counts, restored },
    });
    return { ...(removals[0] ?? ended), counts, left };
  });
}

interface PutAway {
  readonly actor: UndoContext['actor'];
  readonly own: Things & { readonly tops: readonly string[] };
  /** Of the import. */
  readonly groupId: string;
  readonly trashDays: number;
}

/** The trash has items of one kind each, and at most `LIMITS.bulkEntries` things. */
async function putAway(
  tx: Transact,
  deps: Pick<Deps, 'newId' | 'clock'>,
  { actor, own, groupId, trashDays }: PutAway,
): Promise<Operation[]> {
  const removals: Operation[] = [];
  const put = async (kind: 'entry_group' | 'entry' | 'field', id: string, chosen: Partial<Things>) => {
    const target = { kind, id, title: '', groupId };
    removals.push(await putIntoTrash(tx, deps, { actor, target, chosen, trashDays }));
  };
  const [top] = own.tops;
  if (top !== undefined) await put('entry_group', top, { groups: own.groups });
  for (const entries of portions(own.entries, LIMITS.bulkEntries)) await put('entry', entries[0] ?? '', { entries });
  for (const fields of portions(own.fields, LIMITS.bulkEntries)) await put('field', fields[0] ?? '', { fields });
  return removals;
}
