import type { Operation, TargetKind } from '@passwordbroker/core/contract/entities';
import { TEXTS } from '@passwordbroker/core/contract/inputs';
import { AppError } from '@passwordbroker/core/contract/problem';
import { isWithin } from '@passwordbroker/core/domain/groups/group-tree';
import { can } from '@passwordbroker/core/domain/policy';
import { recordEvent } from '../../audit/audit-log.ts';
import type { Database, Transact } from '../../db/database.ts';
import { indexEntries } from '../../db/text-search/search-index.ts';
import { requireWithinLimits } from '../../entries/entry-limits.ts';
import type { Deps } from '../../http/context.ts';
import type { Caller } from '../caller.ts';
import { recordOperation } from '../journal.ts';
import { asOperation } from '../operation.ts';
import type { OperationRow } from '../operation.ts';
import { findOperation, markUndone } from '../operation-repository.ts';
import { listGroupsOf, markRestored, withAllOf } from './restore-repository.ts';
import { type Top, listTops } from './trash-top-repository.ts';
import { SERVER_TEXTS } from '../../platform/texts.ts';

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
    const { act, tops } = await findInTrash(tx, deps, operationId, actor.userId);
    const chosen = items === undefined ? tops : tops.filter((top) => items.some((item) => isSame(item, top)));
    const groups = await groupsToRestore(tx, act, chosen, actor.userId);
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
): Promise<{ readonly act: OperationRow; readonly tops: readonly Top[] }> {
  const act = await findOperation(tx, operationId);
  if (act?.kind !== 'delete' || act.undo_until === null || act.undo_until <= clock.now())
    throw new AppError('not_found');
  const tops = await listTops(tx, [act], userId);
  if (tops.length === 0) throw new AppError('not_found');
  return { act, tops };
}

const isSame = (item: Item, top: Top) => item.kind === top.kind && item.id === top.id;
const mayWrite = ({ role }: Top) => can(role, 'entry.write');

/** @throws AppError `forbidden` unless admin of each */
async function groupsToRestore(
  tx: Transact,
  act: OperationRow,
  chosen: readonly Top[],
  userId: string,
): Promise<string[]> {
  if (act.target_kind !== 'entry_group') return [];
  const all = await listGroupsOf(tx, act.operation_id, userId);
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
