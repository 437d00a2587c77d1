import { findGroup } from '../http/auth/path-repository.ts';
import type { create } from '@passwordbroker/core/contract/entries/fields';
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import type { Field } from '@passwordbroker/core/contract/entities';
import { TEXTS } from '@passwordbroker/core/contract/inputs';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import { textSize } from '@passwordbroker/core/domain/limits';
import { can } from '@passwordbroker/core/domain/policy';
import { recordEvent } from '../audit/audit-log.ts';
import { lockEntry } from '../db/locks.ts';
import type { Transact } from '../db/database.ts';
import { indexEntries } from '../db/text-search/search-index.ts';
import { requireRoom } from '../entries/entry-checks.ts';
import { isEntryAlive, touchEntry } from '../entries/entry-repository.ts';
import { type Answer, answer } from '../http/answer/answer.ts';
import type { Context } from '../http/context.ts';
import { digestOfCreate, isRepeat, rememberCreate } from '../http/answer/created-request-repository.ts';
import { asField } from './field-answers.ts';
import { refuseLargeFile, addedBytes, demandQuota, withBody } from './storage.ts';
import { findShownField, insertField, isFieldIdTaken } from './field-repository.ts';
import { checkBody, checkSealed, columnsOf } from './sealed-revision.ts';

type Sealed = BodyOf<typeof create>;
type Creating = Context<typeof create, Sealed>;

/**
 * Returns 201, or 200 for a repeat.
 * @throws AppError `bad_sealed_value`, `key_version_conflict`, `id_taken`, `validation`
 */
export async function createField(context: Creating): Promise<Answer<Field>> {
  const { deps, actor, origin, group, entry, body } = context;
  if (body.rev !== 1) throw refuse('rev', TEXTS.between(1, 1)('rev'));
  const columns = columnsOf(body);
  const sealed = checkSealed(body.type, body);
  const bytes = checkBody(body, context.files);
  const digest = digestOfCreate(context, [entry.entry_id, body]);
  // The body is stored before the row, so checks come before it and again in the transaction.
  if (bytes !== null) await refuseLargeFile(deps, body);
  const added = addedBytes(sealed.value, bytes === null ? null : { size: bytes.length });
  const isKnownOrFits = async (tx: Transact) => {
    if (await isKnown(tx, context, digest)) return true;
    await demandQuota(tx, actor.userId, added);
    return false;
  };
  if (bytes !== null) await deps.db.transactBeside(isKnownOrFits);
  return withBody(deps, bytes, async (stored) => {
    const status = await deps.db.transactBeside(async (tx) => {
      await lockEntry(tx, entry.entry_id);
      if (await isKnownOrFits(tx)) return 200;
      await stored?.keep();
      const now = deps.clock.now();
      const common = { field_id: body.field_id, rev: 1, ...columns, created_by: actor.userId, created_at: now };
      await insertField(tx, {
        field: {
          ...common,
          entry_id: entry.entry_id,
          type: body.type,
          updated_by: actor.userId,
          updated_at: now,
          trashed_by: null,
        },
        revision: {
          ...common,
          crypto_profile: 'pb1',
          gk_version: body.gk_version,
          cek_wrapped: sealed.cek,
          value: sealed.value,
          body_sha256: stored?.sha256 ?? null,
          body_size: stored?.size ?? null,
          site: sealed.site,
          author_sig: null,
        },
        history: {
          field_edit_log_id: deps.newId(),
          field_id: body.field_id,
          event_type: 'created',
          rev: 1,
          user_id: actor.userId,
          created_at: now,
        },
      });
      await touchEntry(tx, entry.entry_id, now);
      await indexEntries(tx, [entry.entry_id]);
      await rememberCreate(tx, { id: body.field_id, userId: actor.userId, digest, now });
      await recordEvent(tx, deps, {
        event_type: 'field_created',
        actor,
        origin,
        target_type: 'field',
        target_id: body.field_id,
        details: { entry_id: entry.entry_id, entry_group_id: group.entry_group_id },
      });
      return 201;
    });
    const shown = await findShownField(deps.db, body.field_id);
    // The field was removed meanwhile, so its body is removed too.
    if (shown === undefined) throw new AppError('id_taken');
    return answer(status, asField(shown));
  });
}

/** True for a repeat. @throws AppError */
async function isKnown(tx: Transact, context: Creating, digest: Buffer | null): Promise<boolean> {
  const { actor, body } = context;
  // In this order: a field committed in between has its request record.
  const isTaken = await isFieldIdTaken(tx, body.field_id);
  if (await isRepeat(tx, body.field_id, actor.userId, digest)) return true;
  if (isTaken) throw new AppError('id_taken');
  await refuseStale(tx, context);
  await requireRoom(tx, context.entry.entry_id, { fields: 1, text: textSize(columnsOf(context.body)) });
  return false;
}

async function refuseStale(tx: Transact, { actor, group, entry, body }: Creating): Promise<void> {
  const current = await findGroup({ read: tx }, group.entry_group_id, actor.userId);
  if (current === undefined || !(await isEntryAlive(tx, group.entry_group_id, entry.entry_id))) {
    throw new AppError('not_found');
  }
  if (!can(current.role, 'field.write')) throw new AppError('forbidden');
  if (current.gk_version !== body.gk_version) {
    throw new AppError('key_version_conflict', { details: { current_gk_version: current.gk_version } });
  }
}
