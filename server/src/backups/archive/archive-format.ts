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

type EntryName =
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

/** In bytes; a portion exceeds PORTION_BYTES by at most one row. */
export const MOST_BYTES = {
  beginning: 64 * 1024,
  manifest: 1024 * 1024,
  table: 16 * 1024 * 1024,
  body: 64 * 1024 * 1024,
} as const satisfies Record<EntryName['kind'], number>;
export const FILE_OVERHEAD = 4096;
export const PORTION_BYTES = 1024 * 1024;
/** scrypt's log2(N): 256 MiB and about a second. Higher ones are refused. */
export const WORK_FACTOR = 18;

const count = z.number().check(z.nonnegative(), z.int());
const digest = z.string().check(z.regex(/^[0-9a-f]{64}$/));

export const Beginning = z.object({
  product: z.literal(PRODUCT),
  format: z.number(),
  version: z.string(),
  /** Applied migrations. */
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

type Cell = string | number | null | Buffer;
export type Row = Readonly<Record<string, Cell>>;

/** A line of JSON, identical for both engines; bytes as `{"b64": "…"}`. */
export function lineOf(row: Readonly<Record<string, unknown>>): string {
  const cells = Object.entries(row).map(([column, value]) => {
    if (Buffer.isBuffer(value)) return [column, { b64: value.toString('base64') }] as const;
    if (value !== null && typeof value !== 'string' && typeof value !== 'number') {
      throw new TypeError(`The column ${column} holds a ${typeof value}`);
    }
    return [column, value] as const;
  });
  return `${JSON.stringify(Object.fromEntries(cells))}\n`;
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Null unless every line is a row with exactly these columns. */
export function rowsOf(portion: Uint8Array, columns: ReadonlySet<string>): readonly Row[] | null {
  const lines = textOf(portion)?.split('\n') ?? [];
  if (lines.pop() !== '') return null;
  const rows: Row[] = [];
  for (const line of lines) {
    const row = rowOf(line, columns);
    if (row === null) return null;
    rows.push(row);
  }
  return rows;
}

/** Null for invalid UTF-8: different portions must never decode to the same text. */
function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function rowOf(line: string, columns: ReadonlySet<string>): Row | null {
  const read = parsed(line);
  if (typeof read !== 'object' || read === null || Array.isArray(read)) return null;
  const entries = Object.entries(read as Record<string, unknown>);
  if (entries.length !== columns.size) return null;
  const row: Record<string, Cell> = {};
  for (const [column, value] of entries) {
    const cell = cellOf(value);
    if (cell === undefined || !columns.has(column)) return null;
    row[column] = cell;
  }
  return row;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

const NOWHERE_A_TEXT = /[\p{Cs}\0]/u;

function cellOf(value: unknown): Cell | undefined {
  if (value === null) return value;
  // PostgreSQL cannot store lone surrogates or NUL.
  if (typeof value === 'string') return !NOWHERE_A_TEXT.test(value) ? value : undefined;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined;
  if (typeof value !== 'object' || Array.isArray(value)) return undefined;
  const { b64, ...rest } = value as { b64?: unknown };
  if (typeof b64 !== 'string' || Object.keys(rest).length > 0 || !BASE64.test(b64)) return undefined;
  return Buffer.from(b64, 'base64');
}
