import { plainColumns } from '@passwordbroker/core/contract/entries/fields';
import type { ImportBatch, ImportUpdate } from '@passwordbroker/core/contract/entries/import';
import type { Tables } from '../db/schema/tables.ts';
import { marksAfter, NO_MARKS } from '../entries/mark-entry.ts';
import { refuseLargeAttachment } from '../fields/storage.ts';
import {
  checkBody,
  checkSealed,
  checkSealedBytes,
  columnsOf,
  type PlainColumns,
  type SealedBytes,
} from '../fields/sealed-revision.ts';
import { timeOf, type Importer } from './batch-groups.ts';
import { malformedAt, misplaced, at as under, unknownReference } from './batch-problem.ts';

type BatchEntry = ImportBatch['entries'][number];
type SentField = ImportBatch['fields'][number];
type SentRevision = SentField['revisions'][number];
type SealedText = 'crypto_profile' | 'cek_wrapped' | 'value_encrypted' | 'initialization_vector' | 'site_sealed';

interface OwnRevision extends Omit<SentRevision, SealedText | 'created_at'> {
  readonly sealed: SealedBytes;
  /** Unix time in ms. */
  readonly created_at: number | undefined;
}

type BatchRevision = SentRevision | OwnRevision;
export type BatchField = SentField | (Omit<SentField, 'revisions'> & { readonly revisions: readonly OwnRevision[] });
type ErrorPath = readonly (string | number)[];

interface StoredBody {
  readonly sha256: string;
  readonly size: number;
}

export type KeepBody = (bytes: Uint8Array) => Promise<StoredBody>;
/** Each body once: one at a time is in memory. */
export type TakeBody = (part: string) => Promise<Uint8Array | undefined>;

export function entryRow(importer: Importer, entry: BatchEntry): Tables['entries'] {
  const { userId, now } = importer;
  return {
    entry_id: entry.entry_id,
    entry_group_id: entry.entry_group_id,
    title: entry.title,
    ...marksAfter(NO_MARKS, entry, now),
    created_by: userId,
    created_at: timeOf(entry.created_at, now),
    updated_at: timeOf(entry.updated_at, now),
    trashed_by: null,
  };
}

export interface FieldRows {
  readonly field: Tables['fields'];
  readonly revisions: readonly Tables['field_revisions'][];
  readonly history: readonly Tables['field_history'][];
}

export interface BatchFieldReader {
  /** @param position in the batch, for errors */
  read(field: BatchField, position: number): Promise<FieldRows>;
  /** One next revision; its `field` is what the field becomes. */
  readUpdate(update: ImportUpdate, position: number): Promise<FieldRows>;
}

/** @returns the key version of the entry's group; undefined if the batch may not write to the entry */
export type KeyVersionOf = (entryId: string) => number | undefined;

type FieldImporter = Omit<Importer, 'identity'>;

/** Checks fields and returns their rows. */
export function fieldReader(
  importer: FieldImporter,
  versionOf: KeyVersionOf,
  takeBody: TakeBody,
  keep: KeepBody,
): BatchFieldReader {
  const readAt = async (place: ErrorPath, field: BatchField, baseRev: number) => {
    const gkVersion = versionOf(field.entry_id);
    if (gkVersion === undefined) throw unknownReference(...place, 'entry_id');
    const revisions: Tables['field_revisions'][] = [];
    let body: (StoredBody & { readonly plainSize: number | undefined }) | null = null;
    for (const [index, revision] of field.revisions.entries()) {
      const own = baseRev === 0 ? [...place, 'revisions', index] : [...place, 'revision'];
      checkOrder(revision, { rev: baseRev + index + 1, gkVersion }, own);
      const whole = withOwn(field, revision);
      const columns = under(place, () => columnsOf(whole));
      const sealed = under(own, () =>
        'sealed' in revision ? checkSealedBytes(field.type, revision.sealed) : checkSealed(field.type, revision),
      );
      // Without its own body a revision keeps the previous one.
      if (field.type === 'file') {
        const bytes = await takeBody(`file_${field.field_id}_${revision.rev}`);
        if (bytes !== undefined || body === null) {
          refuseLargeAttachment(importer.fileLimit, whole);
          body = { ...(await keepChecked(whole, bytes, keep, own)), plainSize: whole.file_size };
        } else if (body.plainSize !== whole.file_size) throw malformedAt(own, 'file_size');
      }
      revisions.push(revisionRow(importer, field.field_id, revision, sealed, columns, body));
    }
    return rowsOf(importer, field, revisions);
  };
  return {
    read: (field, position) => readAt(['batch', 'fields', position], field, 0),
    readUpdate({ base_rev, revision, ...field }, position) {
      return readAt(['batch', 'updates', position], { ...field, revisions: [revision] }, base_rev);
    },
  };
}

const COLUMNS = Object.keys(plainColumns) as (keyof typeof plainColumns)[];

function withOwn(field: BatchField, revision: BatchRevision): BatchField {
  const isOwn = (name: (typeof COLUMNS)[number]) => revision[name] !== undefined;
  if (!COLUMNS.some(isOwn)) return field;
  return { ...field, ...Object.fromEntries(COLUMNS.filter(isOwn).map((name) => [name, revision[name]])) };
}

interface Expected {
  readonly rev: number;
  readonly gkVersion: number;
}

function checkOrder(revision: BatchRevision, { rev, gkVersion }: Expected, place: ErrorPath): void {
  if (revision.rev !== rev) throw misplaced('The revisions must ascend from 1.', ...place, 'rev');
  if (revision.gk_version !== gkVersion)
    throw misplaced(`The gk version must be ${gkVersion}.`, ...place, 'gk_version');
}

async function keepChecked(
  whole: BatchField,
  bytes: Uint8Array | undefined,
  keep: KeepBody,
  place: ErrorPath,
): Promise<StoredBody> {
  const files = bytes === undefined ? [] : [{ part: 'file', filename: '', mime: '', bytes: asBuffer(bytes) }];
  const checked = under(place, () => checkBody(whole, files));
  if (checked === null) throw new TypeError('Only a file field has a body');
  return keep(checked);
}

const asBuffer = ({ buffer, byteOffset, length }: Uint8Array) => Buffer.from(buffer, byteOffset, length);

function revisionRow(
  { userId, now }: FieldImporter,
  fieldId: string,
  revision: BatchRevision,
  sealed: SealedBytes,
  columns: PlainColumns,
  body: StoredBody | null,
): Tables['field_revisions'] {
  return {
    field_id: fieldId,
    rev: revision.rev,
    crypto_profile: 'pb1',
    gk_version: revision.gk_version,
    cek_wrapped: asBuffer(sealed.cek),
    value: asBuffer(sealed.value),
    site: sealed.site === null ? null : asBuffer(sealed.site),
    body_sha256: body?.sha256 ?? null,
    body_size: body?.size ?? null,
    ...columns,
    author_sig: null,
    created_by: userId,
    created_at: timeOf(revision.created_at, now),
  };
}

function rowsOf(
  importer: FieldImporter,
  { field_id, entry_id, type }: BatchField,
  revisions: readonly Tables['field_revisions'][],
): FieldRows {
  const { userId } = importer;
  const [first, last] = [revisions[0], revisions.at(-1)];
  if (first === undefined || last === undefined) throw new TypeError('The schema admits no field without revisions');
  return {
    field: {
      field_id,
      entry_id,
      type,
      title: last.title,
      login: last.login,
      totp_hash_algorithm: last.totp_hash_algorithm,
      totp_timeout: last.totp_timeout,
      file_name: last.file_name,
      file_mime: last.file_mime,
      file_size: last.file_size,
      rev: last.rev,
      created_by: userId,
      updated_by: userId,
      created_at: first.created_at,
      updated_at: last.created_at,
      trashed_by: null,
    },
    revisions,
    history: revisions.map(({ rev, created_at }) => ({
      field_edit_log_id: importer.newId(),
      field_id,
      event_type: rev === 1 ? 'created' : 'updated',
      rev,
      user_id: userId,
      created_at,
    })),
  };
}
