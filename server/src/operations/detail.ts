/** What an undo needs: names and ids, never a value. */
import type { OperationRow } from './operation.ts';

export interface RenameDetail {
  readonly from: string;
  readonly to: string;
  /** Before the rename (Unix time in ms). */
  readonly updated_at: number;
}

export interface MoveDetail {
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
