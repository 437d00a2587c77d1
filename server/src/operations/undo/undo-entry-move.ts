/**
 * Moves entries back. Their keys arrive wrapped for the former group, or are wrapped here with the
 * master password.
 */
import type { Operation } from '@passwordbroker/core/contract/entities';
import { AppError, missingMasterPassword, refuse } from '@passwordbroker/core/contract/problem';
import { readWraps } from '../../entries/move-call.ts';
import { type Move, moveEntries } from '../../entries/move-entries.ts';
import { refuseServerCrypto } from '../../http/auth/authorise.ts';
import type { Deps } from '../../http/context.ts';
import { findGroup } from '../../http/auth/path-repository.ts';
import { checkProof } from '../../http/auth/proof.ts';
import { isMasterPasswordGiven, withCallerKeyring } from '../../server-crypto/caller-keyring.ts';
import { SERVER_TEXTS } from '../../platform/texts.ts';
import { rewrapEntries } from '../../server-crypto/entry-move.ts';
import { moveDetail } from '../detail.ts';
import type { OperationRow } from '../operation.ts';
import { isFollowed } from '../operation-repository.ts';
import { changedSince, endAct, refuseOthers } from './take-back.ts';
import type { UndoContext } from './undo.ts';

type Keys = Pick<Move, 'gkVersion' | 'wraps'>;

/**
 * @throws AppError `forbidden` without the right in both groups; `conflict` if an entry was moved
 * again; as `moveEntries` for the keys
 */
export async function undoEntryMove(context: UndoContext, operation: OperationRow): Promise<Operation> {
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

/** What the caller wrapped keys for is what he was shown: a changed row sends entries nowhere else. @throws AppError `conflict` */
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
    const undone = await endAct(tx, deps, operation);
    if (await isFollowed(tx, operation)) throw changedSince();
    try {
      await moveEntries(tx, deps, caller, move);
    } catch (error) {
      // The entry was moved since, or the group does not exist any more.
      throw error instanceof AppError && error.code === 'validation' ? changedSince() : error;
    }
    return undone;
  });
}
