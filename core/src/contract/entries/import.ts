/** docs/spec/api.md §3.10. */
import * as z from 'zod/mini';
import { BASE, endpoint } from '../endpoint.ts';
import { Operation, Skipped } from '../entities.ts';
import { newGroupKey } from '../groups/entry-groups.ts';
import { due, tags } from './entries.ts';
import { plainColumns, sealedRevision } from './fields.ts';
import { choice, id, list, optional, optionalScalar, text } from '../inputs.ts';
import { FIELD_TYPES } from '../../domain/fields/field-kinds.ts';
import { LIMITS } from '../../domain/limits.ts';

const time = optional(text({ max: 40 }));

export const ImportField = z.object({
  field_id: id(),
  entry_id: id(),
  type: choice(FIELD_TYPES),
  ...plainColumns,
  /** Columns that differ from those of the field, such as a former login. */
  revisions: list(z.object({ ...plainColumns, ...sealedRevision, created_at: time }), 1, 10_000),
});
export type ImportField = z.output<typeof ImportField>;

export const BATCH_MOST = { groups: 200_000, entries: 200_000, fields: 500_000, skipped: 1000 } as const;

/** One root, parents before children, revisions ascending. */
export const ImportBatch = z.object({
  name: text({ trim: true, max: LIMITS.name }),
  groups: list(
    z.object({
      entry_group_id: id(),
      parent_entry_group_id: optionalScalar(id()),
      name: text({ trim: true, max: LIMITS.name }),
      ...newGroupKey,
      created_at: time,
      updated_at: time,
    }),
    1,
    BATCH_MOST.groups,
  ),
  entries: list(
    z.object({
      entry_id: id(),
      entry_group_id: id(),
      title: text({ trim: true, max: LIMITS.title }),
      tags: optional(tags),
      ...due,
      created_at: time,
      updated_at: time,
    }),
    0,
    BATCH_MOST.entries,
  ),
  fields: list(ImportField, 0, BATCH_MOST.fields),
  skipped: list(Skipped, 0, BATCH_MOST.skipped),
});
export type ImportBatch = z.output<typeof ImportBatch>;

const importBody = {
  plain: z.object({ master_password: optional(z.unknown()) }),
  sealed: z.object({ batch: ImportBatch }),
  marker: 'batch',
} as const;

const answer = {
  status: 201,
  schema: z.extend(Operation, {
    entry_group_id: z.string(),
    name: z.string(),
    counts: z.object({ entry_groups: z.number(), entries: z.number(), fields: z.number(), revisions: z.number() }),
    skipped: z.array(Skipped),
  }),
} as const;

export const importFile = endpoint({
  method: 'POST',
  path: `${BASE}/import`,
  summary: 'Imports a KeePass XML 2.x file (plain form), or a batch that a client has sealed from one',
  access: 'signed-in',
  bodyLimit: LIMITS.importBytes,
  files: ['*'],
  body: importBody,
  answer,
});

/** In the specification without base. */
export const importFileAtRoot = endpoint({ ...importFile, path: '/import' });
