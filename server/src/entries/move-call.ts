import type { moveMany } from '@passwordbroker/core/contract/entries/entries';
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import { TEXTS, labelOf } from '@passwordbroker/core/contract/inputs';
import { AppError } from '@passwordbroker/core/contract/problem';
import { decodeBase64 } from '@passwordbroker/core/crypto/bytes';
import { isWrappedContentKeyShape } from '@passwordbroker/core/domain/fields/sealed-shape';
import { nameAct } from '../http/answer/answer.ts';
import type { RequestContext } from '../http/context.ts';
import type { Caller } from '../operations/caller.ts';
import { recordOperation } from '../operations/journal.ts';
import { restoreUntil } from '../operations/operation.ts';
import { readSiteSettings } from '../platform/site-settings-repository.ts';
import { takeTurns } from '../platform/turns.ts';
import { chosenEntries } from './chosen-entries.ts';
import { moveEntries, refuseMove } from './move-entries.ts';
import type { NewWrap } from './wrap-repository.ts';

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

export interface MoveRequest extends Sealed {
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
      await refuseMove(tx, { actor, origin }, { fromGroupId, toGroupId });
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
  nameAct(context, done.operationId);
  return { entry_group_id: toGroupId, moved: done.moved };
}
