/**
 * Undoes an operation while that is allowed. The table below has the implementation for each kind.
 */
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import type { Operation, TargetKind } from '@passwordbroker/core/contract/entities';
import type { undo } from '@passwordbroker/core/contract/entries/operations';
import { AppError } from '@passwordbroker/core/contract/problem';
import { demandFreshSignInOrProof, isFresh } from '../../http/auth/authorise.ts';
import type { Context, RequestContext } from '../../http/context.ts';
import type { OperationRow } from '../operation.ts';
import { findOperation } from '../operation-repository.ts';
import { restoreFromTrash } from '../trash/restore.ts';
import { refuseOthers } from './take-back.ts';
import { undoEntryMove } from './undo-entry-move.ts';
import { undoEntryRename } from './undo-entry-rename.ts';
import { undoGroupMove } from './undo-group-move.ts';
import { undoGroupRename } from './undo-group-rename.ts';
import { undoImport } from './undo-import.ts';

export type UndoContext = Context<typeof undo, BodyOf<typeof undo>>;
type Undo = (context: UndoContext, operation: OperationRow) => Promise<Operation>;

/** A recent deletion of one's own can be undone without a fresh sign-in. */
const takeOutOfTrash: Undo = async (context, { operation_id, user_id, created_at }) => {
  const { deps, actor } = context;
  const isOwnOfNow = user_id === actor.userId && isFresh(created_at, deps.clock.now());
  if (!isOwnOfNow) await demandFreshSignInOrProof(context);
  return restoreFromTrash(deps, context, operation_id, undefined);
};
const putAwayImport: Undo = (context, operation) => undoImport(context.deps, context, operation);

/** Implementations by kind and target; other operations cannot be undone. */
const UNDO: Partial<Record<`${OperationRow['kind']} ${TargetKind}`, Undo>> = {
  'delete entry_group': takeOutOfTrash,
  'delete entry': takeOutOfTrash,
  'delete field': takeOutOfTrash,
  'import entry_group': putAwayImport,
  'rename entry_group': undoGroupRename,
  'rename entry': undoEntryRename,
  'move entry_group': undoGroupMove,
  'move entry': undoEntryMove,
};

/**
 * Checks the rights before a large body is read. Throws like `undoOperation`, and `forbidden` for
 * another person's operation.
 */
export async function requireUndoable(
  { deps, actor, origin }: RequestContext,
  { operationId = '' }: Record<string, string>,
) {
  if (actor === null) throw new AppError('unauthenticated');
  const operation = await findOperation(deps.db, operationId.toLowerCase());
  if (operation === undefined || !isOpen(operation, deps.clock.now())) throw new AppError('not_found');
  if (operation.kind === 'move') refuseOthers({ actor, origin }, operation);
}

/**
 * @throws AppError `not_found` if the operation is unknown, already undone, too old, or cannot be
 * undone; otherwise as its implementation
 */
export async function undoOperation(context: UndoContext): Promise<Operation> {
  const { deps, params } = context;
  const operation = await findOperation(deps.db, params.operationId);
  if (operation === undefined || !isOpen(operation, deps.clock.now())) throw new AppError('not_found');
  const undoIt = UNDO[`${operation.kind} ${operation.target_kind}`];
  if (undoIt === undefined) throw new AppError('not_found');
  return undoIt(context, operation);
}

const isOpen = ({ undone_at, undo_until }: OperationRow, now: number) =>
  undone_at === null && undo_until !== null && now < undo_until;
