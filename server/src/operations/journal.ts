/** The journal of operations that can be undone (ADR 7). */
import type { Operation, OperationKind, TargetKind } from '@passwordbroker/core/contract/entities';
import type { Transact } from '../db/database.ts';
import { indexEntries } from '../db/text-search/search-index.ts';
import type { Actor, Deps } from '../http/context.ts';
import { type Detail, asOperation, restoreUntil, type OperationRow } from './operation.ts';
import { insertOperation } from './operation-repository.ts';
import { entriesAround, markTrashed, withAllBelow, type Things } from './trash/trash-repository.ts';

/** The `groupId` of a group is its parent. */
export interface Target {
  readonly kind: TargetKind;
  readonly id: string;
  readonly title: string;
  readonly groupId: string | null;
}

interface NewOperation {
  readonly kind: OperationKind;
  /** Null for the command line. */
  readonly actor: Pick<Actor, 'userId'> | null;
  readonly target: Target;
  readonly detail?: Detail;
  readonly counts?: Operation['counts'];
  /** Unix time in ms; null if it cannot be undone. */
  readonly undoUntil: number | null;
}

const NOTHING = { entry_groups: 0, entries: 0, fields: 0 } as const;

export async function recordOperation(
  tx: Transact,
  deps: Pick<Deps, 'newId' | 'clock'>,
  operation: NewOperation,
): Promise<OperationRow> {
  const { kind, actor, target, detail = {}, counts = NOTHING, undoUntil } = operation;
  const row: OperationRow = {
    operation_id: deps.newId(),
    kind,
    user_id: actor?.userId ?? null,
    target_kind: target.kind,
    target_id: target.id,
    title: target.title,
    entry_group_id: target.groupId,
    detail: JSON.stringify(detail),
    ...counts,
    created_at: deps.clock.now(),
    undo_until: undoUntil,
    undone_at: null,
  };
  await insertOperation(tx, row);
  return row;
}

/**
 * Trashes items and everything below. `groups` contains whole subtrees. The caller has checked permissions in
 * this transaction.
 */
export async function putIntoTrash(
  tx: Transact,
  deps: Pick<Deps, 'newId' | 'clock'>,
  removal: {
    readonly actor: Pick<Actor, 'userId'> | null;
    readonly target: Target;
    readonly chosen: Partial<Things>;
    readonly trashDays: number;
  },
): Promise<Operation> {
  const { actor, target, chosen, trashDays } = removal;
  const things = await withAllBelow(tx, chosen);
  const counts = { entry_groups: things.groups.length, entries: things.entries.length, fields: things.fields.length };
  const now = deps.clock.now();
  const undoUntil = restoreUntil(now, trashDays);
  const row = await recordOperation(tx, deps, { kind: 'delete', actor, target, counts, undoUntil });
  await markTrashed(tx, deps, things, { operationId: row.operation_id, userId: actor?.userId ?? null, now });
  // Entries of deleted groups stay in the index; searches exclude them.
  if (things.groups.length === 0) await indexEntries(tx, await entriesAround(tx, things));
  return asOperation(row);
}
