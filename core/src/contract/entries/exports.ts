/** docs/spec/api.md §3.10. Every value that an export releases is recorded in its history. */
import * as z from 'zod/mini';
import { EXPORT_FORMATS } from '../../domain/exchange/export-formats.ts';
import { LIMITS } from '../../domain/limits.ts';
import { BASE, endpoint } from '../endpoint.ts';
import { Entry, Envelope } from '../entities.ts';
import { boolean, choice, id, integer, list, optional, optionalScalar } from '../inputs.ts';

const time = z.string();

export const EXPORT_STATES = ['open', 'done', 'cancelled', 'expired'] as const;

/** `values`: what will be released. The other counts include former values and files, released or not. */
export const Export = z.object({
  export_id: z.string(),
  format: z.enum(EXPORT_FORMATS),
  state: z.enum(EXPORT_STATES),
  counts: z.object({
    entry_groups: z.number(),
    entries: z.number(),
    fields: z.number(),
    /** Fields of each type. */
    types: z.object({
      password: z.number(),
      link: z.number(),
      note: z.number(),
      file: z.number(),
      TOTP: z.number(),
    }),
    /** Values of all fields, former ones too. */
    revisions: z.number(),
    /** Sealed bytes of the files that will be released, or else of the present ones. */
    file_bytes: z.number(),
    values: z.number(),
  }),
  released: z.number(),
  expires_at: time,
});
export type Export = z.output<typeof Export>;

const EXPORT = `${BASE}/exports/:exportId` as const;
const shared = { access: 'signed-in', scope: 'read', proof: true } as const;

export const start = endpoint({
  ...shared,
  method: 'POST',
  path: `${BASE}/exports`,
  summary:
    'Begins an export of groups and entries: fixes which values it has. It releases nothing yet, and ends after an hour without a call',
  fresh: true,
  body: {
    schema: z.object({
      scope: z.object({
        groups: optional(list(id(), 0, LIMITS.exportGroups)),
        /** Also the groups below them that the caller is a member of. */
        below: optionalScalar(boolean()),
        entries: optional(list(id(), 0, LIMITS.bulkEntries)),
      }),
      format: choice(EXPORT_FORMATS),
      history: optionalScalar(boolean()),
      files: optionalScalar(boolean()),
    }),
  },
  answer: { status: 201, schema: Export },
});

const after = integer(0, 1_000_000_000);

export const outline = endpoint({
  method: 'GET',
  path: `${EXPORT}/outline`,
  summary: 'The groups and entries of an export, in the order of its values; the next page with `after`',
  access: 'signed-in',
  proof: true,
  query: z.object({ after: optionalScalar(after) }),
  answer: {
    status: 200,
    schema: z.object({
      groups: z.array(
        z.object({
          entry_group_id: z.string(),
          parent_entry_group_id: z.nullable(z.string()),
          name: z.string(),
          created_at: time,
          updated_at: time,
        }),
      ),
      entries: z.array(Entry),
      /** Null: this was the last page. */
      cursor: z.nullable(z.number()),
    }),
  },
});

/** `current`: the present value of its field. */
export const ReleasedValue = z.extend(Envelope, { created_at: time, current: z.boolean() });
export type ReleasedValue = z.output<typeof ReleasedValue>;

export const release = endpoint({
  ...shared,
  method: 'POST',
  path: `${EXPORT}/releases`,
  summary:
    'Releases the next values, at most 8 MiB of them unless one is larger, each witnessed in its history. A page that is asked for again is answered again and witnessed once',
  body: { schema: z.object({ after, limit: integer(1, LIMITS.exportPage) }) },
  answer: {
    status: 200,
    schema: z.object({
      releases: z.array(ReleasedValue),
      /** Moved, deleted, or not the caller's to export any more. */
      gone: z.array(z.object({ field_id: z.string(), rev: z.number() })),
      after: z.number(),
      done: z.boolean(),
    }),
  },
});

export const finish = endpoint({
  ...shared,
  method: 'POST',
  path: `${EXPORT}/finish`,
  summary: 'Ends an export. What was released stays recorded',
  worksOnFullDisk: true,
  body: { schema: z.object({ state: choice(['done', 'cancelled']) }) },
  answer: { status: 200, schema: Export },
});
