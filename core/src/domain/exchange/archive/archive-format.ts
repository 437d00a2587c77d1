/** Contents of our own archive (docs/export-format.md). */
import * as z from 'zod/mini';
import { FIELD_TYPES, TOTP_ALGORITHMS } from '../../fields/field-kinds.ts';
import { LIMITS } from '../../limits.ts';

export const FORMAT = 1;
export const PRODUCT = 'PasswordBroker';

export const NAMES = { first: 'passwordbroker-export.json', groups: 'groups.ndjson', last: 'manifest.json' } as const;
export const entriesName = (number: number): string => `entries/${String(number).padStart(6, '0')}.ndjson`;
export const fileName = (sha256: string): string => `files/${sha256}`;

const count = z.int().check(z.nonnegative());
/** ISO 8601 in UTC; null: not known. */
const time = z.nullable(z.iso.datetime());
const title = z.string().check(z.minLength(1), z.maxLength(LIMITS.title));

export const First = z.object({ product: z.literal(PRODUCT), format: count });

export const Counts = z.strictObject({
  groups: count,
  entries: count,
  fields: count,
  revisions: count,
  files: count,
  file_bytes: count,
});
export type Counts = z.infer<typeof Counts>;

export const Head = z.strictObject({
  product: z.literal(PRODUCT),
  format: z.literal(FORMAT),
  created_at: z.iso.datetime(),
  /** Whether it has earlier versions, and files. */
  history: z.boolean(),
  files: z.boolean(),
  counts: Counts,
});

export const Group = z.strictObject({
  g: count,
  parent: z.nullable(count),
  name: z.string().check(z.maxLength(LIMITS.name)),
  created_at: time,
  updated_at: time,
});
export type Group = z.infer<typeof Group>;

const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/));

const Revision = z.strictObject({
  title,
  at: time,
  login: z.optional(z.string().check(z.maxLength(LIMITS.login))),
  value: z.optional(z.string()),
  totp: z.optional(z.strictObject({ algorithm: z.enum(TOTP_ALGORITHMS), period: count })),
  file: z.optional(
    z.strictObject({ name: z.string().check(z.minLength(1), z.maxLength(LIMITS.fileName)), size: count, sha256 }),
  ),
});
export type Revision = z.infer<typeof Revision>;

export const Entry = z.strictObject({
  e: count,
  g: count,
  title,
  tags: z.array(z.string()).check(z.maxLength(LIMITS.entryTags)),
  /** '2027-01-31' */
  expires: z.nullable(z.string()),
  created_at: time,
  updated_at: time,
  fields: z.array(z.strictObject({ type: z.enum(FIELD_TYPES), revisions: z.array(Revision).check(z.minLength(1)) })),
});
export type Entry = z.infer<typeof Entry>;

/** `rows`: lines of `.ndjson`, else 1. */
const Part = z.strictObject({ name: z.string(), bytes: count, rows: count, sha256 });
export type Part = z.infer<typeof Part>;
export const Manifest = z.strictObject({ parts: z.array(Part) });
