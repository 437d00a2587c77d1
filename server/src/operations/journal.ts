/**
 * The journal of what can be taken back (ADR 0007): every deletion, move, rename and import is one row, written in the act's own transaction.
 * Deleting has its own door here, because it is the same for fields, entries and groups.
 */
import type { Operation, OperationKind, TargetKind } from '@passwordbroker/core/contract/entities';
import type { Transact } from '../db/database.ts';
import { indexEntries } from '../db/text-search/search-index.ts';
import type { Actor, Deps } from '../http/context.ts';
import type { Detail } from './detail.ts';
import { asOperation, restoreUntil } from './operation.ts';
import type { OperationRow } from './operation.ts';
import { insertOperation } from './operation-repository.ts';
import { entriesAround, markTrashed, withAllBelow } from './trash/trash-repository.ts';
import type { Things } from './trash/trash-repository.ts';

/** The topmost thing that an act is about, and the group where it is found: for a group its parent, null at the root. */
export interface Target {
  readonly kind: TargetKind;
  readonly id: string;
  readonly title: string;
  readonly groupId: string | null;
}

export interface Act {
  readonly kind: OperationKind;
  /** Null for an act of the command line. */
  readonly actor: Pick<Actor, 'userId'> | null;
  readonly target: Target;
  readonly detail?: Detail;
  readonly counts?: Operation['counts'];
  /** Milliseconds; null for what cannot be taken back. */
  readonly undoUntil: number | null;
}

const NOTHING = { entry_groups: 0, entries: 0, fields: 0 } as const;

/** Writes the row of an act into the journal. */
export async function recordOperation(
  tx: Transact,
  deps: Pick<Deps, 'newId' | 'clock'>,
  act: Act,
): Promise<OperationRow> {
  const { kind, actor, target, detail = {}, counts = NOTHING, undoUntil } = act;
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
 * Puts the chosen things and all that lives below them into the trash as one act. `groups` are all groups of the subtree. The caller has judged
 * rights and that they live, in this transaction.
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
  // What lies in a deleted group stays in the index: the search leaves such groups out, and they come back whole.
  if (things.groups.length === 0) await indexEntries(tx, await entriesAround(tx, things));
  return asOperation(row);
}
