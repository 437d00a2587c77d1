/** docs/spec/api.md §3.9. Lists have no values. */
import * as z from 'zod/mini';
import { BASE, ENTRY, FIELD, endpoint } from '../endpoint.ts';
import { RELEASE_PURPOSES } from '../faces.ts';
import { Envelope, Field, FieldHistory, Operation, SeenBy } from '../entities.ts';
import { base64, boolean, choice, id, integer, list, optional, optionalScalar, text } from '../inputs.ts';
import { FIELD_TYPES, TOTP_ALGORITHMS } from '../../domain/fields/field-kinds.ts';
import { LIMITS } from '../../domain/limits.ts';

export const FIELD_TEXTS = {
  masterPasswordMissing: 'MasterPassword is missing',
  masterPasswordInvalid: 'MasterPassword is invalid',
  valueMissing: 'Field Value is missing',
  fileMissing: 'Field File is missing',
  totpBad: 'Field Value is not a valid TOTP secret',
} as const;

export const listAll = endpoint({
  method: 'GET',
  path: `${ENTRY}/fields`,
  summary: 'The fields of an entry: passwords, links, notes, files, TOTPs, in each kind by title; never a value',
  access: 'group.read',
  answer: { status: 200, schema: z.array(Field) },
});

export const get = endpoint({
  method: 'GET',
  path: FIELD,
  summary: 'One field without its value',
  access: 'group.read',
  answer: { status: 200, schema: Field },
});

export const seenBy = endpoint({
  method: 'GET',
  path: `${ENTRY}/seenBy`,
  summary:
    'Lists, for each field of an entry, the people who were shown its value, each once with the last time, newest first, at most 2000 rows. Members get only their own rows',
  access: 'group.read',
  answer: { status: 200, schema: z.array(SeenBy) },
});

const title = optional(text({ trim: true, allowEmpty: true, max: LIMITS.title }));
const login = optional(text({ allowEmpty: true, max: LIMITS.login }));
const totp = {
  totp_hash_algorithm: optionalScalar(choice(TOTP_ALGORITHMS)),
  totp_timeout: optionalScalar(integer(LIMITS.totpPeriodMin, LIMITS.totpPeriodMax)),
};

export const sealedRevision = {
  rev: integer(1, 1_000_000_000),
  crypto_profile: choice(['pb1']),
  gk_version: integer(1, 1_000_000_000),
  cek_wrapped: base64(),
  value_encrypted: base64(),
  initialization_vector: base64(),
  /** Of links: where they may be offered. */
  site_sealed: optional(base64()),
};
export const plainColumns = {
  title,
  login,
  ...totp,
  file_name: optional(text({ max: LIMITS.fileName })),
  file_mime: optional(text({ allowEmpty: true, max: LIMITS.fileName })),
  file_size: optionalScalar(integer(0, LIMITS.fileBytes)),
};

export const create = endpoint({
  method: 'POST',
  path: `${ENTRY}/fields`,
  summary: 'Adds a field of one of the five types',
  access: 'field.write',
  bodyLimit: LIMITS.fileBytes + LIMITS.multipartSlackBytes,
  jsonLimit: LIMITS.fieldJsonBytes,
  files: ['file'],
  body: {
    plain: z.object({
      type: choice(FIELD_TYPES),
      title,
      login,
      ...totp,
      field_id: optionalScalar(id()),
      value: optional(text({ allowEmpty: true })),
      master_password: optional(z.unknown()),
    }),
    sealed: z.object({ field_id: id(), type: choice(FIELD_TYPES), ...plainColumns, ...sealedRevision }),
    marker: 'crypto_profile',
  },
  answer: { status: 201, schema: Field },
});

/** Absent members stay unchanged; the type cannot change. */
const type = optionalScalar(choice(FIELD_TYPES));

export const update = endpoint({
  method: 'PUT',
  path: FIELD,
  summary: 'Writes the next revision of a field; the former one stays in its history',
  access: 'field.write',
  bodyLimit: LIMITS.fileBytes + LIMITS.multipartSlackBytes,
  jsonLimit: LIMITS.fieldJsonBytes,
  files: ['file'],
  body: {
    plain: z.object({
      type,
      title,
      login,
      ...totp,
      base_rev: optionalScalar(integer(1, 1_000_000_000)),
      value: optional(text({ allowEmpty: true })),
      master_password: optional(z.unknown()),
    }),
    sealed: z.object({
      type,
      ...plainColumns,
      ...sealedRevision,
      base_rev: integer(1, 1_000_000_000),
      keep_file: optionalScalar(boolean()),
      /** Another password: moves the due date of an entry with `rotate_days`. */
      value_changed: optionalScalar(boolean()),
    }),
    marker: 'crypto_profile',
  },
  answer: { status: 200, schema: Field },
});

const masterPasswordOnly = z.object({ master_password: optional(z.unknown()) });
export const remove = endpoint({
  method: 'DELETE',
  path: FIELD,
  summary: 'Puts a field into the trash',
  access: 'field.write',
  worksOnFullDisk: true,
  proof: true,
  body: { plain: masterPasswordOnly, sealed: z.object({}), marker: null },
  answer: { status: 200, schema: Operation },
});

const base64Body = { status: 200, type: 'text/plain; charset=utf-8' } as const;

export const decrypted = endpoint({
  method: 'POST',
  path: `${FIELD}/decrypted`,
  summary: 'The value as base64 text, opened on the server with the master password',
  access: 'field.reveal',
  worksOnFullDisk: true,
  scope: 'read',
  body: { schema: masterPasswordOnly },
  answer: base64Body,
});

export const envelope = endpoint({
  method: 'GET',
  path: `${FIELD}/envelope`,
  summary:
    'Releases what a client needs to open the present value by itself; witnessed in the history, as `show` without a purpose',
  access: 'field.reveal',
  query: z.object({ purpose: optional(choice(['show', 'copy', 'fill'])) }),
  answer: { status: 200, schema: Envelope },
});

export const release = endpoint({
  method: 'POST',
  path: `${BASE}/releases`,
  summary:
    'As envelope, for up to 100 fields at once, or for none of them; each is witnessed. Values that are larger than 8 MiB together come in portions: ask again for the fields that are not in the answer. `purpose` and `label` (of `run`: the program that gets the values) are shown in the history',
  access: 'signed-in',
  service: true,
  scope: 'read',
  proof: true,
  body: {
    schema: z.object({
      fields: list(z.object({ entry_group_id: id(), entry_id: id(), field_id: id() }), 1, LIMITS.releasesAtOnce),
      purpose: choice(RELEASE_PURPOSES),
      label: optional(text({ trim: true, plain: true, max: LIMITS.releaseLabel })),
    }),
  },
  /** One at least, in the order of `fields`. */
  answer: { status: 200, schema: z.object({ releases: z.array(Envelope) }) },
});

export const file = endpoint({
  method: 'GET',
  path: `${FIELD}/file`,
  summary:
    'The sealed body of a file field; with `user_application_id` for its offline copy, 403 while the site keeps files out of copies',
  access: 'field.reveal',
  query: z.object({ rev: optionalScalar(integer(1, 1_000_000_000)), user_application_id: optionalScalar(id()) }),
  answer: { status: 200, type: 'application/octet-stream' },
});

export const historyQuery = z.object({
  limit: optionalScalar(integer(1, LIMITS.historyPage)),
  before: optionalScalar(id()),
});

export const history = endpoint({
  method: 'GET',
  path: `${FIELD}/history`,
  summary: 'What happened to the field, newest first; rows before a given one with `before`',
  access: 'group.read',
  query: historyQuery,
  paged: true,
  answer: { status: 200, schema: z.array(FieldHistory) },
});

export const historyDecrypted = endpoint({
  method: 'POST',
  path: `${FIELD}/history/:logId/decrypted`,
  summary: 'The value of an older revision as base64 text',
  access: 'field.reveal',
  worksOnFullDisk: true,
  scope: 'read',
  body: { schema: masterPasswordOnly },
  answer: base64Body,
});

export const historyEnvelope = endpoint({
  method: 'GET',
  path: `${FIELD}/history/:logId/envelope`,
  summary: 'As envelope, for the revision of a history row',
  access: 'field.reveal',
  answer: { status: 200, schema: Envelope },
});

export const historyFile = endpoint({
  method: 'GET',
  path: `${FIELD}/history/:logId/file`,
  summary: 'As file, for the revision of a history row',
  access: 'field.reveal',
  answer: { status: 200, type: 'application/octet-stream' },
});
