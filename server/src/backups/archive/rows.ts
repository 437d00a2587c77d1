/** A row as a line of JSON, identical for both engines; bytes as `{"b64": "…"}`. */

type Cell = string | number | null | Buffer;
export type Row = Readonly<Record<string, Cell>>;

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

/** Null for invalid UTF-8: two different portions must never decode to the same text. */
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

/** A lone surrogate or NUL. */
const NOWHERE_A_TEXT = /[\p{Cs}\0]/u;

function cellOf(value: unknown): Cell | undefined {
  if (value === null) return value;
  // PostgreSQL cannot store them, so no archive of ours has them.
  if (typeof value === 'string') return !NOWHERE_A_TEXT.test(value) ? value : undefined;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined;
  if (typeof value !== 'object' || Array.isArray(value)) return undefined;
  const { b64, ...rest } = value as { b64?: unknown };
  if (typeof b64 !== 'string' || Object.keys(rest).length > 0 || !BASE64.test(b64)) return undefined;
  return Buffer.from(b64, 'base64');
}
