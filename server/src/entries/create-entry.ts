import type { create } from '@passwordbroker/core/contract/entries/entries';
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import type { Entry } from '@passwordbroker/core/contract/entities';
import { AppError } from '@passwordbroker/core/contract/problem';
import { can } from '@passwordbroker/core/domain/policy';
import { recordEvent } from '../audit/audit-log.ts';
import { indexEntries } from '../db/text-search/search-index.ts';
import { findGroupInAct } from '../groups/group-repository.ts';
import { type Answer, answer } from '../http/answer/answer.ts';
import type { Context } from '../http/context.ts';
import { digestOfCreate, isRepeat, rememberCreate } from '../http/answer/created-request.ts';
import { asEntry, findAnyEntry, insertEntry } from './entry-repository.ts';

/** Returns 201, or 200 for a repeat. @throws AppError `id_taken`, `not_found` */
export async function createEntry(context: Context<typeof create, BodyOf<typeof create>>): Promise<Answer<Entry>> {
  const { deps, actor, origin, group, body } = context;
  const entryId = body.entry_id ?? deps.newId();
  // Without a client's id repeats cannot be recognised.
  const digest = body.entry_id === undefined ? null : digestOfCreate(context, [group.entry_group_id, body]);
  return deps.db.transactBeside(async (tx) => {
    const known = await findAnyEntry(tx, entryId);
    if (await isRepeat(tx, entryId, actor.userId, digest)) {
      // The first request may have committed between the reads.
      const made = known ?? (await findAnyEntry(tx, entryId));
      if (made === undefined || made.trashed_by !== null) throw new AppError('id_taken');
      return answer(200, asEntry(made));
    }
    if (known !== undefined) throw new AppError('id_taken');
    const current = await findGroupInAct(tx, group.entry_group_id, actor.userId);
    if (current === undefined) throw new AppError('not_found');
    if (!can(current.role, 'entry.write')) throw new AppError('forbidden');
    const now = deps.clock.now();
    const row = {
      entry_id: entryId,
      entry_group_id: group.entry_group_id,
      title: body.title,
      created_by: actor.userId,
      created_at: now,
      updated_at: now,
      trashed_by: null,
    };
    await insertEntry(tx, row);
    await indexEntries(tx, [entryId]);
    await rememberCreate(tx, { id: entryId, userId: actor.userId, digest, now });
    await recordEvent(tx, deps, {
      event_type: 'entry_created',
      actor,
      origin,
      target_type: 'entry',
      target_id: entryId,
      details: { entry_group_id: group.entry_group_id },
    });
    return answer(201, asEntry(row));
  });
}
