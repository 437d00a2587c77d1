/**
 * Moving entries (docs/spec/decisions.md G12) wraps their content keys for the target group. The request must
 * contain exactly the existing revisions, so that nothing becomes unreadable.
 */
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import { TEXTS } from '@passwordbroker/core/contract/inputs';
import { can } from '@passwordbroker/core/domain/policy';
import { recordEvents } from '../audit/audit-log.ts';
import type { Transact } from '../db/database.ts';
import { indexEntries } from '../db/text-search/search-index.ts';
import { findGroupInAct } from '../groups/group-repository.ts';
import { NO_RIGHT_THERE } from '../groups/move-group.ts';
import type { Deps } from '../http/context.ts';
import type { Caller } from '../operations/caller.ts';
import { chosenEntries } from './chosen-entries.ts';
import type { EntryRow } from './entry-repository.ts';
import { type NewWrap, insertMovedRows, listRevisions, updateGroupOf, updateWraps } from './wrap-repository.ts';

export interface Move {
  readonly fromGroupId: string;
  readonly toGroupId: string;
  readonly entryIds: readonly string[];
  /** Key version of the target group. */
  readonly gkVersion: number;
  readonly wraps: readonly NewWrap[];
}

/** @throws AppError `not_found`, `forbidden`, `validation` */
export async function refuseMove(
  tx: Transact,
  { actor }: Caller,
  { fromGroupId, toGroupId }: Pick<Move, 'fromGroupId' | 'toGroupId'>,
) {
  const from = await findGroupInAct(tx, fromGroupId, actor.userId);
  if (from === undefined) throw new AppError('not_found');
  if (!can(from.role, 'entry.write')) throw new AppError('forbidden');
  const target = await findGroupInAct(tx, toGroupId, actor.userId);
  if (target === undefined) throw refuse('entryGroupTarget', TEXTS.unknown('entryGroupTarget'));
  if (!can(target.role, 'entry.write')) throw new AppError('forbidden', { message: NO_RIGHT_THERE });
  return target;
}

/**
 * Part of the caller's transaction; returns the entries before the move.
 * @throws AppError as `refuseMove`; `validation`, `key_version_conflict`, `rewrap_set_mismatch`
 */
export async function moveEntries(
  tx: Transact,
  deps: Pick<Deps, 'newId' | 'clock'>,
  { actor, origin }: Caller,
  move: Move,
): Promise<readonly EntryRow[]> {
  const target = await refuseMove(tx, { actor, origin }, move);
  const chosen = await chosenEntries(tx, move.fromGroupId, move.entryIds);
  if (target.gk_version !== move.gkVersion) {
    throw new AppError('key_version_conflict', { details: { current_gk_version: target.gk_version } });
  }
  const ids = chosen.map(({ entry_id }) => entry_id);
  const revisions = await listRevisions(tx, ids);
  refuseOtherSet(revisions, move.wraps);
  await updateWraps(tx, move.wraps, move.gkVersion);
  await updateGroupOf(tx, ids, { groupId: move.toGroupId, now: deps.clock.now() });
  const living = new Set(revisions.filter((row) => row.trashed_by === null).map((row) => row.field_id));
  await insertMovedRows(tx, deps, [...living], { userId: actor.userId, now: deps.clock.now() });
  await indexEntries(tx, ids);
  const [from, to] = [move.fromGroupId, move.toGroupId];
  const counts = { entries: ids.length, fields: living.size };
  const by = { actor, origin };
  await recordEvents(tx, deps, [
    { event_type: 'entries_moved', ...by, target_type: 'entry_group', target_id: to, details: { from, ...counts } },
    ...ids.map((id) => ({
      event_type: 'entry_moved' as const,
      ...by,
      target_type: 'entry',
      target_id: id,
      details: { from, to },
    })),
  ]);
  return chosen;
}

function refuseOtherSet(
  revisions: readonly { readonly field_id: string; readonly rev: number }[],
  wraps: readonly NewWrap[],
): void {
  const keyOf = ({ field_id, rev }: { readonly field_id: string; readonly rev: number }) => `${field_id} ${rev}`;
  const sent = new Set(wraps.map(keyOf));
  const isSame =
    sent.size === wraps.length && sent.size === revisions.length && revisions.every((row) => sent.has(keyOf(row)));
  if (!isSame) throw new AppError('rewrap_set_mismatch');
}
