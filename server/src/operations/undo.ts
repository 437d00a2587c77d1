/** Takes an act back while the toast offers it. The one place for it: other kinds of acts join the table below. */
import type { Operation } from '@passwordbroker/core/contract/entities';
import { AppError } from '@passwordbroker/core/contract/problem';
import type { Deps } from '../http/context.ts';
import type { Caller } from './caller.ts';
import type { OperationRow } from './operation.ts';
import { findOperation } from './operation-repository.ts';
import { undoImport } from './undo-import.ts';

type Undo = (deps: Deps, caller: Caller, operation: OperationRow) => Promise<Operation>;

const UNDO: Partial<Record<OperationRow['kind'], Undo>> = { import: undoImport };

/** Throws `not_found` for an act that is unknown, already undone, too old, or of a kind that cannot be undone. */
export async function undoOperation(deps: Deps, caller: Caller, operationId: string): Promise<Operation> {
  const operation = await findOperation(deps.db, operationId);
  const undo = operation === undefined ? undefined : UNDO[operation.kind];
  if (operation === undefined || undo === undefined || !isOpen(operation, deps.clock.now())) {
    throw new AppError('not_found');
  }
  return undo(deps, caller, operation);
}

const isOpen = ({ undone_at, undo_until }: OperationRow, now: number) =>
  undone_at === null && undo_until !== null && now < undo_until;
