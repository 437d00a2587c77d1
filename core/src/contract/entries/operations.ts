/** docs/spec/api.md §3.10, ADR 7. */
import * as z from 'zod/mini';
import { BASE, GROUP, endpoint } from '../endpoint.ts';
import { pageQuery, rewrapped } from './entries.ts';
import { sealedRevision } from './fields.ts';
import { JournalRow, Operation, TARGET_KINDS, TrashItem, pageOf } from '../entities.ts';
import { choice, id, integer, list, optional, optionalScalar } from '../inputs.ts';
import { LIMITS } from '../../domain/limits.ts';

const query = z.object(pageQuery);

export const journal = endpoint({
  method: 'GET',
  path: `${BASE}/operations`,
  summary: 'What the caller moved, renamed, imported and created and can still take back, newest first',
  access: 'signed-in',
  query,
  answer: { status: 200, schema: pageOf(JournalRow) },
});

export const undo = endpoint({
  method: 'POST',
  path: `${BASE}/operations/:operationId/undo`,
  summary:
    'Takes an act back. Entries that were moved bring their keys wrapped for the group they return to, or a master password; an import into existing groups brings the former values sealed anew',
  access: 'signed-in',
  jsonLimit: LIMITS.importBytes,
  body: {
    schema: z.object({
      master_password: optional(z.unknown()),
      target_gk_version: optional(rewrapped.target_gk_version),
      rewraps: optional(rewrapped.rewraps),
      /** Required with `rewraps`; 409 if the move was between others. */
      from_entry_group_id: optionalScalar(id()),
      to_entry_group_id: optionalScalar(id()),
      /** Of an import into existing groups: its values in their former form, as the next revisions. */
      updates: optional(
        list(
          z.object({ field_id: id(), base_rev: integer(1, 1_000_000_000), revision: z.object(sealedRevision) }),
          0,
          LIMITS.rewraps,
        ),
      ),
      /** Values of the import that stay, such as those that were changed since. */
      leave: optional(list(id(), 0, LIMITS.rewraps)),
    }),
  },
  answer: {
    status: 200,
    schema: z.extend(Operation, {
      /** Of an import into existing groups: what others have changed since, and stays. */
      left: z.optional(z.object({ entry_groups: z.number(), entries: z.number(), fields: z.number() })),
    }),
  },
});

export const trash = endpoint({
  method: 'GET',
  path: `${BASE}/trash`,
  summary: 'What was deleted and the caller may restore, newest first',
  access: 'signed-in',
  query,
  answer: { status: 200, schema: pageOf(TrashItem) },
});

export const groupTrash = endpoint({
  method: 'GET',
  path: `${GROUP}/trash`,
  summary: 'What was deleted in this group: entries, fields, and for its admins groups directly below it',
  access: 'trash.read',
  query,
  answer: { status: 200, schema: pageOf(TrashItem) },
});

const TRASH_ITEM = `${BASE}/trash/:operationId` as const;

export const restore = endpoint({
  method: 'POST',
  path: `${TRASH_ITEM}/restore`,
  summary: 'Brings back what one act deleted, or some of its items',
  access: 'signed-in',
  fresh: 'or-proof',
  body: {
    schema: z.object({
      items: optional(list(z.object({ kind: choice(TARGET_KINDS), id: id() }), 1, LIMITS.bulkEntries)),
    }),
  },
  answer: { status: 200, schema: Operation },
});

export const purge = endpoint({
  method: 'DELETE',
  path: TRASH_ITEM,
  summary: 'Removes what one act deleted for good',
  access: 'signed-in',
  worksOnFullDisk: true,
  makesRoom: true,
  fresh: 'or-proof',
  answer: { status: 204 },
});

/** `items` deletions, with everything deleted earlier inside them. */
export const Purge = z.object({
  items: z.number(),
  counts: z.object({ entry_groups: z.number(), entries: z.number(), fields: z.number(), files: z.number() }),
});
export type Purge = z.output<typeof Purge>;

export const purgePreview = endpoint({
  method: 'GET',
  path: `${TRASH_ITEM}/purge`,
  summary: 'How much a purge of it removes',
  access: 'signed-in',
  answer: { status: 200, schema: Purge },
});

const ALL_SUMMARY = 'how many `items` the caller has seen; of another number nothing is purged (409)';
const shown = z.object({ items: integer(1, LIMITS.purgedAtOnce) });
const Purged = z.object({ purged: z.number() });

export const trashPurgePreview = endpoint({
  method: 'GET',
  path: `${BASE}/trash/purge`,
  summary: 'How much emptying the trash removes: of all groups, what the caller may purge',
  access: 'signed-in',
  answer: { status: 200, schema: Purge },
});

export const emptyTrash = endpoint({
  method: 'DELETE',
  path: `${BASE}/trash`,
  summary: `Removes for good what the caller may purge, of all groups; ${ALL_SUMMARY}`,
  access: 'signed-in',
  worksOnFullDisk: true,
  makesRoom: true,
  fresh: 'or-proof',
  query: shown,
  answer: { status: 200, schema: Purged },
});

export const groupPurgePreview = endpoint({
  method: 'GET',
  path: `${GROUP}/trash/purge`,
  summary: 'How much emptying the trash of this group removes',
  access: 'group.delete',
  answer: { status: 200, schema: Purge },
});

export const emptyGroupTrash = endpoint({
  method: 'DELETE',
  path: `${GROUP}/trash`,
  summary: `Removes for good what was deleted in this group; ${ALL_SUMMARY}`,
  access: 'group.delete',
  worksOnFullDisk: true,
  makesRoom: true,
  fresh: 'or-proof',
  query: shown,
  answer: { status: 200, schema: Purged },
});
