import type { Operation } from '@passwordbroker/core/contract/entities';
import { AppError } from '@passwordbroker/core/contract/problem';
import type { Transact } from '../../db/database.ts';
import type { Deps } from '../../http/context.ts';
import type { Caller } from '../caller.ts';
import { asOperation } from '../operation.ts';
import type { OperationRow } from '../operation.ts';
import { markUndone } from '../operation-repository.ts';
import { SERVER_TEXTS } from '../../platform/texts.ts';

/** @throws AppError `forbidden` for another person's operation */
export function refuseOthers({ actor }: Caller, operation: OperationRow): void {
  if (operation.user_id !== actor.userId) throw new AppError('forbidden');
}

export const changedSince = () => new AppError('conflict', { message: SERVER_TEXTS.changedSince });

/** @throws AppError `not_found` if another request was faster */
export async function endAct(
  tx: Transact,
  { clock }: Pick<Deps, 'clock'>,
  operation: OperationRow,
): Promise<Operation> {
  if (!(await markUndone(tx, operation.operation_id, clock.now()))) throw new AppError('not_found');
  return asOperation({ ...operation, undo_until: null });
}

/** Returns the time before the rename, unless something else has changed since. */
export const updatedAtBefore = (
  row: { readonly updated_at: number },
  operation: OperationRow,
  before: number,
): number => (row.updated_at <= operation.created_at ? before : row.updated_at);
