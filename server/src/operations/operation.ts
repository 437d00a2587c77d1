import type { Operation } from '@passwordbroker/core/contract/entities';
import type { Tables } from '../db/schema/tables.ts';

export type OperationRow = Tables['operations'];

const DAY = 24 * 60 * 60 * 1000;

/** Unix time in ms. */
export const undoImportUntil = (now: number): number => now + DAY;

/** Unix time in ms; also for moves and renames. */
export const restoreUntil = (now: number, trashDays: number): number => now + trashDays * DAY;

export function asOperation(row: OperationRow): Operation {
  return {
    operation_id: row.operation_id,
    kind: row.kind,
    counts: { entry_groups: row.entry_groups, entries: row.entries, fields: row.fields },
    undo_until: row.undo_until === null ? null : new Date(row.undo_until).toISOString(),
  };
}
