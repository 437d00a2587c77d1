/** What an undo needs to know of an act. Names and ids alone, never a value. */
import type { OperationRow } from './operation.ts';

export interface RenameDetail {
  readonly from: string;
  readonly to: string;
  /** When it had been changed last before the act, milliseconds. */
  readonly updated_at: number;
}

export interface MoveDetail {
  /** Null: the root. */
  readonly from_group: string | null;
  readonly to_group: string | null;
  readonly entries?: readonly string[];
}

export type Detail = RenameDetail | MoveDetail | Record<never, never>;

/** As the act wrote it (`recordOperation` is the only writer). */
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
