/** docs/spec/api.md §3.10. */
import * as z from 'zod/mini';
import { BASE, endpoint } from '../endpoint.ts';
import { Operation, Skipped } from '../entities.ts';
import { newGroupKey } from '../groups/entry-groups.ts';
import { due, tags } from './entries.ts';
import { plainColumns, sealedRevision } from './fields.ts';
import { boolean, choice, id, integer, list, optional, optionalScalar, text } from '../inputs.ts';
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

export const BATCH_MOST = {
  groups: 200_000,
  entries: 200_000,
  fields: 500_000,
  skipped: 1000,
  targets: 20_000,
  existing_entries: 50_000,
  updates: 50_000,
} as const;

const treeName = text({ trim: true, max: LIMITS.name });
const group = z.object({
  entry_group_id: id(),
  parent_entry_group_id: optionalScalar(id()),
  name: treeName,
  ...newGroupKey,
  created_at: time,
  updated_at: time,
});

/** The next revision of an existing field, with all its plain columns. */
export const ImportUpdate = z.object({
  entry_group_id: id(),
  entry_id: id(),
  field_id: id(),
  base_rev: integer(1, 1_000_000_000),
  type: choice(FIELD_TYPES),
  ...plainColumns,
  revision: z.object(sealedRevision),
});
export type ImportUpdate = z.output<typeof ImportUpdate>;

/** An import into existing groups. */
export const intoGroups = {
  /** No root is made then. */
  into: optionalScalar(id()),
  /** Every existing group that is written to; groups and entries of the batch may be in them. */
  targets: optional(
    list(z.object({ entry_group_id: id(), gk_version: integer(1, 1_000_000_000) }), 1, BATCH_MOST.targets),
  ),
  /** New groups have exactly the members of the group above, the importer as admin. */
  same_members: optionalScalar(boolean()),
  /** Fields of the batch may be in them. */
  existing_entries: optional(list(z.object({ entry_id: id(), entry_group_id: id() }), 0, BATCH_MOST.existing_entries)),
  updates: optional(list(ImportUpdate, 0, BATCH_MOST.updates)),
};

/** Required unless `into` is given. */
export const importedTree = { name: treeName, groups: list(group, 1, BATCH_MOST.groups) };

/** One root unless `into` is given, parents before children, revisions ascending. */
export const ImportBatch = z.object({
  name: optional(treeName),
  groups: list(group, 0, BATCH_MOST.groups),
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
  ...intoGroups,
});
export type ImportBatch = z.output<typeof ImportBatch>;

const importBody = {
  plain: z.object({ master_password: optional(z.unknown()) }),
  sealed: z.object({ batch: ImportBatch }),
  marker: 'batch',
} as const;

export const importAnswer = {
  status: 201,
  schema: z.extend(Operation, {
    entry_group_id: z.string(),
    name: z.string(),
    counts: z.object({
      entry_groups: z.number(),
      entries: z.number(),
      fields: z.number(),
      revisions: z.number(),
      /** Of an import into existing groups: next revisions of fields that existed. */
      updated: z.optional(z.number()),
    }),
    skipped: z.array(Skipped),
  }),
} as const;

export const importFile = endpoint({
  method: 'POST',
  path: `${BASE}/import`,
  summary:
    'Imports a KeePass XML 2.x file (plain form), or a batch that a client has sealed, as a new tree or with `into` into existing groups',
  access: 'signed-in',
  bodyLimit: LIMITS.importBytes,
  files: ['*'],
  body: importBody,
  answer: importAnswer,
});

/** In the specification without base. */
export const importFileAtRoot = endpoint({ ...importFile, path: '/import' });
