/**
 * The archive format (docs/spec/decisions.md H3). Entry names are never used as paths (docs/spec/threats.md
 * §3.1.28).
 */
import * as z from 'zod/mini';
import { BackupCounts } from '@passwordbroker/core/contract/site/backups';

export const PRODUCT = 'PasswordBroker';
export const FORMAT = 1;

export const BEGINNING = 'passwordbroker.json';
export const MANIFEST = 'manifest.json';
export const tablePart = (table: string, part: number) => `tables/${table}/${String(part).padStart(6, '0')}.ndjson`;
export const bodyEntry = (sha256: string) => `bodies/${sha256}`;

export type EntryName =
  | { readonly kind: 'beginning' }
  | { readonly kind: 'manifest' }
  | { readonly kind: 'table'; readonly table: string; readonly part: number }
  | { readonly kind: 'body'; readonly sha256: string };

/** Null if an archive cannot contain it. */
export function readEntryName(name: string): EntryName | null {
  if (name === BEGINNING) return { kind: 'beginning' };
  if (name === MANIFEST) return { kind: 'manifest' };
  const [, sha256] = /^bodies\/([0-9a-f]{64})$/.exec(name) ?? [];
  if (sha256 !== undefined) return { kind: 'body', sha256 };
  const [, table, part] = /^tables\/([a-z_]{1,40})\/(\d{6})\.ndjson$/.exec(name) ?? [];
  return table === undefined ? null : { kind: 'table', table, part: Number(part) };
}

/** In bytes. A portion exceeds PORTION_BYTES by at most one row. */
export const MOST_BYTES = {
  beginning: 64 * 1024,
  manifest: 1024 * 1024,
  table: 16 * 1024 * 1024,
  body: 64 * 1024 * 1024,
} as const satisfies Record<EntryName['kind'], number>;
/** Upper bound beside the bytes of a file. */
export const FILE_OVERHEAD = 4096;
export const PORTION_BYTES = 1024 * 1024;

const count = z.number().check(z.nonnegative(), z.int());
const digest = z.string().check(z.regex(/^[0-9a-f]{64}$/));

export const Beginning = z.object({
  product: z.literal(PRODUCT),
  format: z.number(),
  version: z.string(),
  /** Names of the applied migrations. */
  schema: z.array(z.string()),
  created_at: z.string(),
});
export type Beginning = z.output<typeof Beginning>;

export const Manifest = z.object({
  schema: z.array(z.string()),
  created_at: z.string(),
  tables: z.record(z.string(), z.object({ rows: count, bytes: count, sha256: digest })),
  bodies: z.object({ count, bytes: count }),
  counts: BackupCounts,
  /** To compare with published chain heads. */
  audit_head: z.nullable(z.object({ seq: count, hash: digest })),
});
export type Manifest = z.output<typeof Manifest>;
