/** One act that many rows belong to: what a toast can take back, and what the trash shows as one thing. */
import type { Operation } from '@passwordbroker/core/contract/entities';
import type { Tables } from '../db/schema/tables.ts';

export type OperationRow = Tables['operations'];

const DAY = 24 * 60 * 60 * 1000;

/** Milliseconds until which the toast of an import is good. */
export const undoImportUntil = (now: number): number => now + DAY;

/** Milliseconds until which something in the trash can come back, and a move or rename can be taken back. */
export const restoreUntil = (now: number, trashDays: number): number => now + trashDays * DAY;

export function asOperation(row: OperationRow): Operation {
  return {
    operation_id: row.operation_id,
    kind: row.kind,
    counts: { entry_groups: row.entry_groups, entries: row.entries, fields: row.fields },
    undo_until: row.undo_until === null ? null : new Date(row.undo_until).toISOString(),
  };
}
