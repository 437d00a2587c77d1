import { findGroup } from '../http/auth/path-repository.ts';
import { FIELD_TEXTS, type update, type remove } from '@passwordbroker/core/contract/entries/fields';
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import type { Field, Operation } from '@passwordbroker/core/contract/entities';
import { TEXTS } from '@passwordbroker/core/contract/inputs';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import { textSize } from '@passwordbroker/core/domain/limits';
import { can } from '@passwordbroker/core/domain/policy';
import { recordEvent } from '../audit/audit-log.ts';
import { lockEntry } from '../db/locks.ts';
import type { Transact } from '../db/database.ts';
import { indexChangedField } from '../db/text-search/search-index.ts';
import { requireRoom } from '../entries/entry-checks.ts';
import { renewDue, touchEntry, isEntryAlive } from '../entries/entry-repository.ts';
import type { Context } from '../http/context.ts';
import { asField } from './field-answers.ts';
import { findBody, insertRevision, findFieldInTransaction } from './field-repository.ts';
import { refuseLargeFile, addedBytes, demandQuota, withBody, type BodyInHand } from './storage.ts';
import { findFieldWithRole } from './reveal-repository.ts';
import { checkBody, checkSealed, columnsOf } from './sealed-revision.ts';
import { putIntoTrash } from '../operations/journal.ts';
import { readSiteSettings } from '../platform/site-settings-repository.ts';

type Updating = Context<typeof update, BodyOf<typeof update>>;

/**
 * Stores the next revision; earlier ones stay.
 * @throws AppError `revision_conflict`, `key_version_conflict`, `bad_sealed_value`, `validation`,
 * `not_found`, `forbidden`
 */
export async function updateField(context: Updating): Promise<Field> {
  const { deps, actor, origin, group, entry, field } = context;
  refuseMembers(context);
  const { body } = context;
  const named = withPresentColumns(context);
  const columns = columnsOf(named);
  // Spreading takes longer than writing the row.
  const { title, login, totp_hash_algorithm, totp_timeout, file_name, file_mime, file_size } = columns;
  const sealed = checkSealed(context.field.type, body);
  const keepsFile = body.keep_file === true;
  const bytes = keepsFile ? null : checkBody(named, context.files);
  // The body is stored before the row, so checks come before it and again in the transaction.
  if (bytes !== null) await refuseLargeFile(deps, named);
  const added = addedBytes(sealed.value, bytes === null ? null : { size: bytes.length });
  const presentOrRefused = async (tx: Transact) => {
    const present = await refuseStale(tx, context);
    await demandQuota(tx, actor.userId, added);
    return present;
  };
  if (bytes !== null) await deps.db.transactBeside(presentOrRefused);
  const changing = async (tx: Transact, stored: BodyInHand | null) => {
    await lockEntry(tx, entry.entry_id);
    const present = await presentOrRefused(tx);
    await requireRoom(tx, entry.entry_id, { fields: 0, text: textSize(columns) - textSize(present) });
    await stored?.keep();
    const kept = keepsFile ? await keptBody(tx, field.field_id, body.base_rev, named.file_size) : null;
    const now = deps.clock.now();
    await insertRevision(tx, {
      field: {
        field_id: field.field_id,
        title,
        login,
        totp_hash_algorithm,
        totp_timeout,
        file_name,
        file_mime,
        file_size,
        rev: body.rev,
        updated_by: actor.userId,
        updated_at: now,
      },
      revision: {
        field_id: field.field_id,
        rev: body.rev,
        title,
        login,
        totp_hash_algorithm,
        totp_timeout,
        file_name,
        file_mime,
        file_size,
        crypto_profile: 'pb1',
        gk_version: body.gk_version,
        cek_wrapped: sealed.cek,
        value: sealed.value,
        body_sha256: stored?.sha256 ?? kept?.body_sha256 ?? null,
        body_size: stored?.size ?? kept?.body_size ?? null,
        site: sealed.site,
        author_sig: null,
        created_by: actor.userId,
        created_at: now,
      },
      history: {
        field_edit_log_id: deps.newId(),
        field_id: field.field_id,
        event_type: 'updated',
        rev: body.rev,
        user_id: actor.userId,
        created_at: now,
      },
    });
    await touchEntry(tx, entry.entry_id, now);
    if (field.type === 'password' && body.value_changed === true) await renewDue(tx, entry.entry_id, now);
    await indexChangedField(tx, entry.entry_id, { before: present, after: columns, now });
    await recordEvent(tx, deps, {
      event_type: 'field_updated',
      actor,
      origin,
      target_type: 'field',
      target_id: field.field_id,
      details: { entry_id: entry.entry_id, entry_group_id: group.entry_group_id, rev: body.rev },
    });
    return { present, now };
  };
  const { present, now } = await withBody(deps, bytes, (stored) =>
    deps.db.transactBeside((tx) => changing(tx, stored)),
  );
  return asField({
    field_id: field.field_id,
    entry_id: field.entry_id,
    type: field.type,
    title,
    login,
    totp_hash_algorithm,
    totp_timeout,
    file_name,
    file_mime,
    file_size,
    rev: body.rev,
    gk_version: body.gk_version,
    created_at: present.created_at,
    created_by: present.created_by,
    creator_name: present.creator_name,
    updated_at: now,
    updated_by: actor.userId,
    updater_name: actor.name,
  });
}

function refuseMembers({ body, field, files }: Updating): void {
  if (body.type !== undefined && body.type !== field.type) throw refuse('type', TEXTS.unexpected('type'));
  if (body.rev !== body.base_rev + 1) throw refuse('rev', TEXTS.between(body.base_rev + 1, body.base_rev + 1)('rev'));
  if (body.keep_file !== true) return;
  const bringsFile = files.some(({ part }) => part === 'file');
  if (field.type !== 'file' || bringsFile) throw refuse('keep_file', TEXTS.unexpected('keep file'));
}

function withPresentColumns({ body, field }: Updating) {
  // Spreading the body takes longer than all checks.
  return {
    type: field.type,
    title: body.title ?? field.title,
    login: body.login ?? field.login ?? undefined,
    totp_hash_algorithm: body.totp_hash_algorithm ?? field.totp_hash_algorithm ?? undefined,
    totp_timeout: body.totp_timeout ?? field.totp_timeout ?? undefined,
    file_name: body.file_name ?? field.file_name ?? undefined,
    file_mime: body.file_mime ?? field.file_mime ?? undefined,
    file_size: body.file_size ?? field.file_size ?? undefined,
  };
}

/** Repeats all checks inside the transaction, and returns the field. */
async function refuseStale(tx: Transact, { actor, group, entry, field, body }: Updating) {
  const place = { groupId: group.entry_group_id, entryId: entry.entry_id, fieldId: field.field_id };
  const present = await findFieldWithRole(tx, actor.userId, place);
  if (present === undefined) throw new AppError('not_found');
  if (!can(present.role, 'field.write')) throw new AppError('forbidden');
  if (present.rev !== body.base_rev) {
    throw new AppError('revision_conflict', { details: { current_rev: present.rev } });
  }
  if (present.gk_version !== body.gk_version) {
    throw new AppError('key_version_conflict', { details: { current_gk_version: present.gk_version } });
  }
  return present;
}

/** An unchanged body must not change its size. */
async function keptBody(tx: Transact, fieldId: string, baseRev: number, fileSize: number | undefined) {
  const kept = await findBody(tx, fieldId, baseRev);
  if (kept === undefined || kept.body_sha256 === null) throw refuse('file', FIELD_TEXTS.fileMissing);
  if (kept.file_size !== fileSize) {
    throw new AppError('bad_sealed_value', { errors: { file_size: [TEXTS.malformed('file size')] } });
  }
  return kept;
}

type Removing = Pick<Context<typeof remove, unknown>, 'deps' | 'actor' | 'origin' | 'group' | 'entry' | 'field'>;

/** @throws AppError `not_found`, `forbidden` */
export async function removeField({ deps, actor, origin, group, entry, field }: Removing): Promise<Operation> {
  const { trash_days } = await readSiteSettings(deps);
  const groupId = group.entry_group_id;
  return deps.db.transact(async (tx) => {
    const current = await findGroup({ read: tx }, groupId, actor.userId);
    const present = await findFieldInTransaction(tx, field.field_id);
    const isHere = present?.entry_id === entry.entry_id && (await isEntryAlive(tx, groupId, entry.entry_id));
    if (current === undefined || !isHere) throw new AppError('not_found');
    if (!can(current.role, 'field.write')) throw new AppError('forbidden');
    const removal = await putIntoTrash(tx, deps, {
      actor,
      target: { kind: 'field', id: field.field_id, title: present.title, groupId },
      chosen: { fields: [field.field_id] },
      trashDays: trash_days,
    });
    await recordEvent(tx, deps, {
      event_type: 'field_deleted',
      actor,
      origin,
      target_type: 'field',
      target_id: field.field_id,
      details: { entry_id: entry.entry_id, entry_group_id: groupId, operation_id: removal.operation_id },
    });
    return removal;
  });
}
