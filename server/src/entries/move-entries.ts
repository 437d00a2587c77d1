/**
 * Moving entries (docs/spec/decisions.md G12) wraps their content keys for the target group. The request must
 * contain exactly the existing revisions, so that nothing becomes unreadable.
 */
import { findGroup } from '../http/auth/path-repository.ts';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import { TEXTS, labelOf } from '@passwordbroker/core/contract/inputs';
import { can } from '@passwordbroker/core/domain/policy';
import { recordEvents } from '../audit/audit-log.ts';
import type { Database, Transact } from '../db/database.ts';
import { indexEntries } from '../db/text-search/search-index.ts';
import { NO_RIGHT_THERE } from '../groups/change-group.ts';
import type { Actor, Deps, RequestContext, Caller } from '../http/context.ts';
import { restoreUntil, recordOperation } from '../operations/journal.ts';
import { chosenEntries } from './entry-checks.ts';
import type { EntryRow } from './entry-repository.ts';
import { type NewWrap, insertMovedRows, listRevisions, updateGroupOf, updateWraps } from './wrap-repository.ts';
import type { moveMany } from '@passwordbroker/core/contract/entries/entries';
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import { decodeBase64 } from '@passwordbroker/core/crypto/bytes';
import { isWrappedContentKeyShape } from '@passwordbroker/core/domain/fields/sealed-shape';
import { readSiteSettings } from '../platform/site-settings-repository.ts';
import { takeTurns } from '../platform/semaphore.ts';

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
  read: Database['read'],
  { actor }: { readonly actor: Pick<Actor, 'userId'> },
  { fromGroupId, toGroupId }: Pick<Move, 'fromGroupId' | 'toGroupId'>,
) {
  const from = await findGroup({ read }, fromGroupId, actor.userId);
  if (from === undefined) throw new AppError('not_found');
  if (!can(from.role, 'entry.write')) throw new AppError('forbidden');
  const target = await findGroup({ read }, toGroupId, actor.userId);
  if (target === undefined) throw refuse('entryGroupTarget', TEXTS.unknown('entryGroupTarget'));
  if (!can(target.role, 'entry.write')) throw new AppError('forbidden', { message: NO_RIGHT_THERE });
  return { from, target };
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
  const { target } = await refuseMove(tx, { actor }, move);
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

type Sealed = BodyOf<typeof moveMany>;

/** Yields to other requests. @throws AppError `bad_sealed_value` */
export async function readWraps(rewraps: Sealed['rewraps']): Promise<NewWrap[]> {
  const turn = takeTurns();
  const wraps: NewWrap[] = [];
  for (const [at, { field_id, rev, cek_wrapped }] of rewraps.entries()) {
    wraps.push({ field_id, rev, cek_wrapped: readWrap(cek_wrapped, at) });
    if (at % AT_ONCE === 0) await turn();
  }
  return wraps;
}

const AT_ONCE = 100;

function readWrap(text: string, at: number): Buffer {
  try {
    const bytes = decodeBase64(text);
    if (isWrappedContentKeyShape(bytes)) return Buffer.from(bytes.buffer);
  } catch {
    // Malformed base64 gets the same answer as a wrong length.
  }
  const member = `rewraps.${at}.cek_wrapped`;
  throw new AppError('bad_sealed_value', { errors: { [member]: [TEXTS.malformed(labelOf(member.split('.')))] } });
}

interface MoveRequest extends Sealed {
  readonly fromGroupId: string;
}

/** @throws AppError as `moveEntries` */
export async function moveCall(
  context: Pick<RequestContext, 'deps' | 'head'> & Caller,
  request: MoveRequest,
): Promise<{ readonly entry_group_id: string; readonly moved: number }> {
  const { deps, actor, origin } = context;
  const { fromGroupId, entryGroupTarget: toGroupId, entries: entryIds } = request;
  const wraps = await readWraps(request.rewraps);
  const { trash_days } = await readSiteSettings(deps);
  const done = await deps.db.transact(async (tx) => {
    if (fromGroupId === toGroupId) {
      await refuseMove(tx, { actor }, { fromGroupId, toGroupId });
      await chosenEntries(tx, fromGroupId, entryIds);
      return { moved: 0, operationId: null };
    }
    const move = { fromGroupId, toGroupId, entryIds, gkVersion: request.target_gk_version, wraps };
    const moved = await moveEntries(tx, deps, { actor, origin }, move);
    const [first] = moved;
    if (first === undefined) throw new AppError('not_found');
    const operation = await recordOperation(tx, deps, {
      kind: 'move',
      actor,
      target: { kind: 'entry', id: first.entry_id, title: first.title, groupId: toGroupId },
      detail: { from_group: fromGroupId, to_group: toGroupId, entries: moved.map(({ entry_id }) => entry_id) },
      counts: { entry_groups: 0, entries: moved.length, fields: 0 },
      undoUntil: restoreUntil(deps.clock.now(), trash_days),
    });
    return { moved: moved.length, operationId: operation.operation_id };
  });
  if (done.operationId !== null) context.head.setHeader('x-operation-id', done.operationId);
  return { entry_group_id: toGroupId, moved: done.moved };
}
