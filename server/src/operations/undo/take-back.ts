/** What every undo of a rename or a move has in common. */
import type { Operation } from '@passwordbroker/core/contract/entities';
import { AppError } from '@passwordbroker/core/contract/problem';
import type { Transact } from '../../db/database.ts';
import type { Deps } from '../../http/context.ts';
import type { Caller } from '../caller.ts';
import { asOperation } from '../operation.ts';
import type { OperationRow } from '../operation.ts';
import { markUndone } from '../operation-repository.ts';
import { SERVER_TEXTS } from '../../platform/texts.ts';

/** Only whoever did it takes it back; what somebody else changed since is his to judge. */
export function refuseOthers({ actor }: Caller, operation: OperationRow): void {
  if (operation.user_id !== actor.userId) throw new AppError('forbidden');
}

export const changedSince = () => new AppError('conflict', { message: SERVER_TEXTS.changedSince });

/** Ends the act inside the undo's own transaction, and answers it as what it is now. @throws AppError `not_found` when somebody was faster */
export async function endAct(
  tx: Transact,
  { clock }: Pick<Deps, 'clock'>,
  operation: OperationRow,
): Promise<Operation> {
  if (!(await markUndone(tx, operation.operation_id, clock.now()))) throw new AppError('not_found');
  return asOperation({ ...operation, undo_until: null });
}

/**
 * When the thing was changed last, once the rename is taken back: as before the act, unless something else has changed it since. The act's row was
 * written right after the change, so a later time is another act's.
 */
export const updatedAtBefore = (
  row: { readonly updated_at: number },
  operation: OperationRow,
  before: number,
): number => (row.updated_at <= operation.created_at ? before : row.updated_at);
