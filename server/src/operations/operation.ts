import type { Operation } from '@passwordbroker/core/contract/entities';
import type { Tables } from '../db/schema/tables.ts';
import type { Actor, Origin } from '../http/context.ts';

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

export interface Caller {
  readonly actor: Actor;
  readonly origin: Origin;
}

/** A null actor is the command line. */
export interface Operator {
  readonly actor: Actor | null;
  readonly origin: Origin;
}

/** What an undo needs: names and ids, never a value. */
interface RenameDetail {
  readonly from: string;
  readonly to: string;
  /** Before the rename (Unix time in ms). */
  readonly updated_at: number;
}

interface MoveDetail {
  /** Null means the root. */
  readonly from_group: string | null;
  readonly to_group: string | null;
  readonly entries?: readonly string[];
}

export type Detail = RenameDetail | MoveDetail | Record<never, never>;

/** Written only by `recordOperation`. */
export const readDetail = ({ detail }: Pick<OperationRow, 'detail'>): Detail => JSON.parse(detail) as Detail;

export function renameDetail(row: OperationRow): RenameDetail {
  const detail = readDetail(row);
  if ('from' in detail) return detail;
  throw new Error(`Operation ${row.operation_id} is no rename`);
}

export function moveDetail(row: OperationRow): MoveDetail {
  const detail = readDetail(row);
  if ('from_group' in detail) return detail;
  throw new Error(`Operation ${row.operation_id} is no move`);
}
