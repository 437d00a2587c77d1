/** Entries go back to the group they came from. Their keys have to be wrapped for that group again. */
import type { Operation } from '@passwordbroker/core/contract/entities';
import { AppError } from '@passwordbroker/core/contract/problem';
import type { Caller } from './caller.ts';
import type { OperationRow } from './operation.ts';
import { refuseOthers } from './take-back.ts';

/** @throws AppError `conflict`: entries are moved back by moving them */
export async function undoEntryMove(caller: Caller, operation: OperationRow): Promise<Operation> {
  refuseOthers(caller, operation);
  throw new AppError('conflict', { message: 'Move the entries back by hand' });
}
