/** Entries and fields of a batch: everything belongs to something in the batch, every sealed value has the form of one (`crypto.md` §19). */
import type { ImportBatch } from '@passwordbroker/core/contract/import';
import type { Bytes } from '@passwordbroker/core/crypto/bytes';
import {
  isBodyShape,
  isValueShape,
  isVectorOf,
  isWrappedContentKeyShape,
} from '@passwordbroker/core/domain/sealed-shape';
import type { Tables } from '../db/schema.ts';
import type { Importer } from './batch-groups.ts';
import { decoded } from './batch-groups.ts';
import { malformed, missing, misplaced, unknownReference } from './batch-problem.ts';
import { timeOf } from './batch-time.ts';

type BatchEntry = ImportBatch['entries'][number];
type BatchField = ImportBatch['fields'][number];
type BatchRevision = BatchField['revisions'][number];

/** A stored file body. */
export interface StoredBody {
  readonly sha256: string;
  readonly size: number;
}

export function entryRow(importer: Importer, entry: BatchEntry): Tables['entries'] {
  const { userId, now } = importer;
  return {
    entry_id: entry.entry_id,
    entry_group_id: entry.entry_group_id,
    title: entry.title,
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

type Columns = Pick<
  Tables['fields'],
  'title' | 'login' | 'totp_hash_algorithm' | 'totp_timeout' | 'file_name' | 'file_mime' | 'file_size'
>;

const NONE = {
  login: null,
  totp_hash_algorithm: null,
  totp_timeout: null,
  file_name: null,
  file_mime: null,
  file_size: null,
};

/** The plain columns that a field of this type has; others that came along are not stored. */
function columnsOf(field: BatchField, at: number): Columns {
  const title = field.title ?? '';
  const needed = <Name extends keyof BatchField>(name: Name): NonNullable<BatchField[Name]> => {
    const value = field[name];
    if (value === undefined || value === null) throw missing('batch', 'fields', at, name);
    return value;
  };
  switch (field.type) {
    case 'password':
      return { ...NONE, title, login: field.login ?? '' };
    case 'TOTP':
      return {
        ...NONE,
        title,
        totp_hash_algorithm: needed('totp_hash_algorithm'),
        totp_timeout: needed('totp_timeout'),
      };
    case 'file':
      return {
        ...NONE,
        title,
        file_name: needed('file_name'),
        file_mime: field.file_mime ?? '',
        file_size: needed('file_size'),
      };
    default:
      return { ...NONE, title };
  }
}

/** Stores a body whose form has been checked, and answers its name. */
export type KeepBody = (bytes: Uint8Array) => Promise<StoredBody>;

export interface FieldReader {
  /** @param at position in the batch, for the places of refusals */
  read(field: BatchField, at: number): Promise<FieldRows>;
}

/** @param bodies sealed file bodies by the name of their part */
export function fieldReader(
  importer: Importer,
  entries: { has(entryId: string): boolean },
  bodies: ReadonlyMap<string, Uint8Array>,
  keep: KeepBody,
): FieldReader {
  return {
    async read(field, at) {
      if (!entries.has(field.entry_id)) throw unknownReference('batch', 'fields', at, 'entry_id');
      const columns = columnsOf(field, at);
      const revisions: Tables['field_revisions'][] = [];
      let body: StoredBody | null = null;
      for (const [index, revision] of field.revisions.entries()) {
        const place = ['batch', 'fields', at, 'revisions', index] as const;
        const sealed = checkRevision(revision, index, place);
        if (field.type === 'file') {
          const bytes = bodies.get(`file_${field.field_id}_${revision.rev}`);
          // A revision without a body of its own has that of the one before, as with `keep_file`.
          if (bytes === undefined && body === null) throw missing(...place, 'file');
          if (bytes !== undefined) body = await keepChecked(bytes, columns.file_size ?? 0, keep, place);
        }
        revisions.push(revisionRow(importer, field.field_id, revision, sealed, columns, body));
      }
      return rowsOf(importer, field, columns, revisions);
    },
  };
}

type Place = readonly (string | number)[];

function checkRevision(revision: BatchRevision, index: number, place: Place): { cek: Buffer; value: Buffer } {
  if (revision.rev !== index + 1) throw misplaced('The revisions must ascend from 1.', ...place, 'rev');
  if (revision.gk_version !== 1) throw misplaced('The gk version must be 1.', ...place, 'gk_version');
  const cek = decoded(revision.cek_wrapped, ...place, 'cek_wrapped');
  const value = decoded(revision.value_encrypted, ...place, 'value_encrypted');
  const vector = decoded(revision.initialization_vector, ...place, 'initialization_vector');
  if (!isWrappedContentKeyShape(cek)) throw malformed(...place, 'cek_wrapped');
  if (!isValueShape(value)) throw malformed(...place, 'value_encrypted');
  if (!isVectorOf(vector, value)) throw malformed(...place, 'initialization_vector');
  return { cek, value };
}

async function keepChecked(bytes: Uint8Array, size: number, keep: KeepBody, place: Place): Promise<StoredBody> {
  if (!isBodyShape(bytes as Bytes, bytes.length, size)) throw malformed(...place, 'file');
  return keep(bytes);
}

function revisionRow(
  { userId, now }: Importer,
  fieldId: string,
  revision: BatchRevision,
  sealed: { cek: Buffer; value: Buffer },
  columns: Columns,
  body: StoredBody | null,
): Tables['field_revisions'] {
  return {
    field_id: fieldId,
    rev: revision.rev,
    crypto_profile: 'pb1',
    gk_version: revision.gk_version,
    cek_wrapped: sealed.cek,
    value: sealed.value,
    body_sha256: body?.sha256 ?? null,
    body_size: body?.size ?? null,
    ...columns,
    author_sig: null,
    created_by: userId,
    created_at: timeOf(revision.created_at, now),
  };
}

function rowsOf(
  importer: Importer,
  { field_id, entry_id, type }: BatchField,
  columns: Columns,
  revisions: readonly Tables['field_revisions'][],
): FieldRows {
  const { userId, now } = importer;
  const last = revisions.at(-1);
  return {
    field: {
      field_id,
      entry_id,
      type,
      ...columns,
      rev: last?.rev ?? 1,
      created_by: userId,
      updated_by: userId,
      created_at: revisions[0]?.created_at ?? now,
      updated_at: last?.created_at ?? now,
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
