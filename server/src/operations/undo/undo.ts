import type { AnswerOf, BodyOf } from '@passwordbroker/core/contract/endpoint';
import type { Operation, TargetKind } from '@passwordbroker/core/contract/entities';
import type { undo } from '@passwordbroker/core/contract/entries/operations';
import { AppError, missingMasterPassword, refuse } from '@passwordbroker/core/contract/problem';
import { demandFreshSignInOrProof, isFresh, refuseServerCrypto } from '../../http/auth/authorise.ts';
import type { Context, RequestContext, Deps, Caller } from '../../http/context.ts';
import { type OperationRow, moveDetail, renameDetail, findOperation, isFollowed } from '../journal.ts';
import { restoreFromTrash } from '../trash/trash.ts';
import {
  refuseOthers,
  changedSince,
  endOperation,
  updatedAtBefore,
  undoEntryCreation,
  undoEntryRename,
  undoGroupMove,
} from './undo-changes.ts';
import { readWraps, type Move, moveEntries } from '../../entries/move-entries.ts';
import { findGroup } from '../../http/auth/path-repository.ts';
import { checkProof } from '../../http/auth/proof.ts';
import { isMasterPasswordGiven, withCallerKeyring } from '../../server-crypto/caller-keyring.ts';
import { SERVER_TEXTS } from '../../platform/texts.ts';
import { rewrapEntries } from '../../server-crypto/entry-move.ts';
import { foldText } from '@passwordbroker/core/domain/search-text';
import { can } from '@passwordbroker/core/domain/policy';
import { recordEvent } from '../../audit/audit-log.ts';
import { updateGroupName } from '../../groups/group-repository.ts';
import { isIntoGroups, undoImport, undoImportInto } from './undo-import.ts';

type Keys = Pick<Move, 'gkVersion' | 'wraps'>;

/** @throws AppError `forbidden`; `conflict` if moved again; as `moveEntries` */
async function undoEntryMove(context: UndoContext, operation: OperationRow): Promise<Operation> {
  refuseOthers(context, operation);
  const { from_group, to_group, entries = [] } = moveDetail(operation);
  if (from_group === null || to_group === null) throw new Error(`Operation ${operation.operation_id} moved no entries`);
  const way = { fromGroupId: to_group, toGroupId: from_group, entryIds: entries };
  const { body } = context;
  refuseOtherGroups(body, { from_entry_group_id: from_group, to_entry_group_id: to_group });
  if (isMasterPasswordGiven(body.master_password)) return undoWithMasterPassword(context, operation, way);
  if (body.rewraps === undefined || body.target_gk_version === undefined) throw missingMasterPassword();
  if (body.from_entry_group_id === undefined || body.to_entry_group_id === undefined) {
    throw refuse('from_entry_group_id', SERVER_TEXTS.moveGroupsMissing);
  }
  await checkProof(context);
  return putBack(context.deps, context, operation, {
    ...way,
    gkVersion: body.target_gk_version,
    wraps: await readWraps(body.rewraps),
  });
}

type Groups = Pick<UndoContext['body'], 'from_entry_group_id' | 'to_entry_group_id'>;

/** A changed row must not send entries to another group than the keys are for. @throws AppError `conflict` */
function refuseOtherGroups(sent: Groups, moved: Required<Groups>): void {
  const isSame = (['from_entry_group_id', 'to_entry_group_id'] as const).every(
    (name) => sent[name] === undefined || sent[name] === moved[name],
  );
  if (!isSame) throw new AppError('conflict', { message: SERVER_TEXTS.movedElsewhere });
}

async function undoWithMasterPassword(
  context: UndoContext,
  operation: OperationRow,
  way: Omit<Move, keyof Keys>,
): Promise<Operation> {
  const { deps, actor, body } = context;
  await refuseServerCrypto(deps, actor);
  const [from, to] = await Promise.all([
    findGroup(deps.db, way.fromGroupId, actor.userId),
    findGroup(deps.db, way.toGroupId, actor.userId),
  ]);
  if (from === undefined || to === undefined) throw changedSince();
  const [fromRole, toRole] = [from.role, to.role];
  if (fromRole === null || toRole === null) throw new AppError('forbidden');
  return withCallerKeyring(context, body.master_password, async (opened) => {
    const groups = { from: { ...from, role: fromRole }, to: { ...to, role: toRole } };
    const made = await rewrapEntries(opened, {
      ...groups,
      entryIds: way.entryIds,
      isByJournal: body.from_entry_group_id === undefined,
    });
    const move = { ...way, gkVersion: made.target_gk_version, wraps: await readWraps(made.rewraps) };
    return putBack(opened.deps, context, operation, move);
  });
}

async function putBack(deps: Deps, caller: UndoContext, operation: OperationRow, move: Move): Promise<Operation> {
  return deps.db.transact(async (tx) => {
    const undone = await endOperation(tx, deps, operation);
    if (await isFollowed(tx, operation)) throw changedSince();
    try {
      await moveEntries(tx, deps, caller, move);
    } catch (error) {
      // An entry was moved since, or the group is gone.
      throw error instanceof AppError && error.code === 'validation' ? changedSince() : error;
    }
    return undone;
  });
}

type UndoContext = Context<typeof undo, BodyOf<typeof undo>>;
type Undo = (context: UndoContext, operation: OperationRow) => Promise<AnswerOf<typeof undo>>;

/** Recent deletions of one's own need no fresh sign-in. */
const takeOutOfTrash: Undo = async (context, { operation_id, user_id, created_at }) => {
  const { deps, actor } = context;
  const isOwnOfNow = user_id === actor.userId && isFresh(created_at, deps.clock.now());
  if (!isOwnOfNow) await demandFreshSignInOrProof(context);
  return restoreFromTrash(deps, context, operation_id, undefined);
};
const putAwayImport: Undo = (context, operation) =>
  isIntoGroups(operation) ? undoImportInto(context, operation) : undoImport(context.deps, context, operation);

const UNDO: Partial<Record<`${OperationRow['kind']} ${TargetKind}`, Undo>> = {
  'delete entry_group': takeOutOfTrash,
  'delete entry': takeOutOfTrash,
  'delete field': takeOutOfTrash,
  'import entry_group': putAwayImport,
  'rename entry_group': undoGroupRename,
  'create entry': undoEntryCreation,
  'rename entry': undoEntryRename,
  'move entry_group': undoGroupMove,
  'move entry': undoEntryMove,
};

/** Runs before a large body is read. @throws AppError `unauthenticated`, `not_found`, `forbidden` */
export async function requireUndoable(
  { deps, actor, origin }: RequestContext,
  { operationId = '' }: Record<string, string>,
) {
  if (actor === null) throw new AppError('unauthenticated');
  const operation = await findOperation(deps.db, operationId.toLowerCase());
  if (operation === undefined || !isOpen(operation, deps.clock.now())) throw new AppError('not_found');
  if (operation.kind === 'move') refuseOthers({ actor, origin }, operation);
}

/** @throws AppError `not_found` if it cannot be undone */
export async function undoOperation(context: UndoContext): Promise<AnswerOf<typeof undo>> {
  const { deps, params } = context;
  const operation = await findOperation(deps.db, params.operationId);
  if (operation === undefined || !isOpen(operation, deps.clock.now())) throw new AppError('not_found');
  const undoIt = UNDO[`${operation.kind} ${operation.target_kind}`];
  if (undoIt === undefined) throw new AppError('not_found');
  return undoIt(context, operation);
}

const isOpen = ({ undone_at, undo_until }: OperationRow, now: number) =>
  undone_at === null && undo_until !== null && now < undo_until;

/** @throws AppError `not_found`, `forbidden`; `conflict` if renamed since */
async function undoGroupRename(
  { deps, actor, origin }: Caller & { readonly deps: Deps },
  operation: OperationRow,
): Promise<Operation> {
  refuseOthers({ actor, origin }, operation);
  const { from, to, updated_at } = renameDetail(operation);
  const groupId = operation.target_id;
  return deps.db.transact(async (tx) => {
    const undone = await endOperation(tx, deps, operation);
    const group = await findGroup({ read: tx }, groupId, actor.userId);
    if (group === undefined) throw new AppError('not_found');
    if (!can(group.role, 'group.rename')) throw new AppError('forbidden');
    if (group.name !== to || (await isFollowed(tx, operation))) throw changedSince();
    const columns = {
      name: from,
      name_folded: foldText(from),
      updated_at: updatedAtBefore(group, operation, updated_at),
    };
    await updateGroupName(tx, groupId, columns);
    await recordEvent(tx, deps, {
      event_type: 'group_renamed',
      actor,
      origin,
      target_type: 'entry_group',
      target_id: groupId,
      details: { undo_of: operation.operation_id },
    });
    return undone;
  });
}
