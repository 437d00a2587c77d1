import type { TrashItem, Operation, TargetKind } from '@passwordbroker/core/contract/entities';
import { compareTitles, isWithin } from '@passwordbroker/core/domain/groups/group-tree';
import type { Deps, Caller } from '../../http/context.ts';
import { type PageQuery, pageOf, spanOf } from '../page.ts';
import {
  countInTrash,
  listTrashOperations,
  type TrashRow,
  type TrashRequest,
  type Top,
  listTops,
} from './trash-page-repository.ts';
import { TEXTS } from '@passwordbroker/core/contract/inputs';
import { AppError } from '@passwordbroker/core/contract/problem';
import { can } from '@passwordbroker/core/domain/policy';
import { recordEvent } from '../../audit/audit-log.ts';
import type { Database, Transact } from '../../db/database.ts';
import { indexEntries } from '../../db/text-search/search-index.ts';
import { requireWithinLimits } from '../../entries/entry-checks.ts';
import { asOperation, type OperationRow, recordOperation, findOperation, markUndone } from '../journal.ts';
import { listGroupsOf, markRestored, withAllOf } from './trash-repository.ts';
import { SERVER_TEXTS } from '../../platform/texts.ts';

/** Newest first. */
export async function trashPage(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  who: Pick<TrashRequest, 'userId' | 'within'>,
  query: PageQuery,
) {
  const request = { ...who, now: clock.now(), ...spanOf(query) };
  const operations = await listTrashOperations(db.read, request);
  // The total is a column, so an empty page needs another query.
  const [first] =
    operations.length > 0 ? operations : await listTrashOperations(db.read, { ...request, offset: 0, limit: 1 });
  const ids = operations.map(({ operation_id }) => operation_id);
  const [tops, counts] = await Promise.all([listTops(db.read, operations, who.userId), countInTrash(db, ids)]);
  const byOperation = new Map<string | null, Top[]>(ids.map((id) => [id, []]));
  for (const top of tops) byOperation.get(top.trashed_by)?.push(top);
  const data = operations.map((operation) =>
    asTrashItem(
      operation,
      byOperation.get(operation.operation_id) ?? [],
      counts.get(operation.operation_id) ?? NOTHING,
    ),
  );
  return pageOf(data, first?.total ?? 0, query);
}

/** Deleted groups are listed only for admins of everything in them. */
export const mayPurge = ({ kind, role }: Pick<Top, 'kind' | 'role'>): boolean =>
  kind === 'entry_group' || role === 'admin';

const NOTHING = { entry_groups: 0, entries: 0, fields: 0 };

function asTrashItem(operation: TrashRow, tops: readonly Top[], counts: TrashItem['counts']): TrashItem {
  const sorted = tops.toSorted(compareTitles);
  const first = tops.find(({ id }) => id === operation.target_id) ?? sorted[0];
  const { user_id, user_name } = operation;
  return {
    operation_id: operation.operation_id,
    kind: operation.target_kind,
    title: first?.title ?? operation.title,
    entry_group:
      first === undefined || first.group_id === null || first.group_name === null
        ? null
        : { entry_group_id: first.group_id, name: first.group_name },
    user: user_id === null || user_name === null ? null : { user_id, name: user_name },
    items: sorted.map(({ kind, id, title }) => ({ kind, id, title })),
    counts,
    can_purge: tops.every(mayPurge),
    created_at: new Date(operation.created_at).toISOString(),
    purge_at: new Date(operation.undo_until ?? operation.created_at).toISOString(),
  };
}

interface Item {
  readonly kind: TargetKind;
  readonly id: string;
}

/**
 * @param items absent: everything
 * @throws AppError `not_found`, `forbidden`, `validation`; `conflict` if the parent is in the trash
 */
export async function restoreFromTrash(
  deps: Deps,
  { actor, origin }: Caller,
  operationId: string,
  items: readonly Item[] | undefined,
): Promise<Operation> {
  return deps.db.transact(async (tx) => {
    const { operation, tops } = await findInTrash(tx, deps, operationId, actor.userId);
    const chosen = items === undefined ? tops : tops.filter((top) => items.some((item) => isSame(item, top)));
    const groups = await groupsToRestore(tx, operation, chosen, actor.userId);
    if ((chosen.length === 0 ? tops : chosen).some((top) => top.kind !== 'entry_group' && !mayWrite(top))) {
      throw new AppError('forbidden');
    }
    refuseUnknown(items ?? [], tops);
    if (chosen.some(({ place_trashed_by }) => place_trashed_by !== null)) {
      throw new AppError('conflict', { message: SERVER_TEXTS.placeInTrash });
    }
    const idsOf = (kind: TargetKind) => chosen.filter((top) => top.kind === kind).map(({ id }) => id);
    const picked = { groups, entries: idsOf('entry'), fields: idsOf('field') };
    const things = await withAllOf(tx, operationId, picked);
    const now = deps.clock.now();
    await markRestored(tx, deps, things, { userId: actor.userId, now });
    const grown = new Set(
      chosen.flatMap(({ kind, entry_id }) => (kind === 'field' && entry_id !== null ? [entry_id] : [])),
    );
    for (const entryId of grown) await requireWithinLimits(tx, entryId);
    // Entries restored with their group are still in the index.
    await indexEntries(tx, [...new Set(chosen.flatMap(({ entry_id }) => entry_id ?? []))]);
    if (chosen.length === tops.length) await markUndone(tx, operationId, now);
    const counts = { entry_groups: things.groups.length, entries: things.entries.length, fields: things.fields.length };
    const [first] = chosen;
    if (first === undefined) throw new AppError('not_found');
    const target = { kind: first.kind, id: first.id, title: first.title, groupId: first.group_id };
    const row = await recordOperation(tx, deps, { kind: 'restore', actor, target, counts, undoUntil: null });
    await recordEvent(tx, deps, {
      event_type: 'restored',
      actor,
      origin,
      target_type: first.kind,
      target_id: first.id,
      details: { restore_of: operationId, ...counts },
    });
    return asOperation(row);
  });
}

/** @throws AppError `not_found` */
export async function findInTrash(
  tx: Transact | Database['read'],
  { clock }: Pick<Deps, 'clock'>,
  operationId: string,
  userId: string,
): Promise<{ readonly operation: OperationRow; readonly tops: readonly Top[] }> {
  const operation = await findOperation(tx, operationId);
  if (operation?.kind !== 'delete' || operation.undo_until === null || operation.undo_until <= clock.now())
    throw new AppError('not_found');
  const tops = await listTops(tx, [operation], userId);
  if (tops.length === 0) throw new AppError('not_found');
  return { operation, tops };
}

const isSame = (item: Item, top: Top) => item.kind === top.kind && item.id === top.id;
const mayWrite = ({ role }: Top) => can(role, 'entry.write');

/** @throws AppError `forbidden` unless admin of each */
export async function groupsToRestore(
  tx: Transact | Database['read'],
  operation: OperationRow,
  chosen: readonly Top[],
  userId: string,
): Promise<string[]> {
  if (operation.target_kind !== 'entry_group') return [];
  const all = await listGroupsOf(tx, operation.operation_id, userId);
  const below = all.filter(({ materialized_path }) => chosen.some(({ id }) => isWithin(materialized_path, id)));
  const judged = chosen.length === 0 ? all : below;
  if (!judged.every(({ role }) => can(role, 'group.delete'))) throw new AppError('forbidden');
  return below.map(({ entry_group_id }) => entry_group_id);
}

function refuseUnknown(items: readonly Item[], tops: readonly Top[]): void {
  const errors = Object.fromEntries(
    items.flatMap((item, at) =>
      tops.some((top) => isSame(item, top)) ? [] : [[`items.${at}`, [TEXTS.unknown('item')]]],
    ),
  );
  if (Object.keys(errors).length > 0) throw new AppError('validation', { errors });
}
