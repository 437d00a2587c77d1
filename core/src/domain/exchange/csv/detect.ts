/** What a text is, if it is a CSV file. */
import { lookAtTable } from './columns.ts';
import type { TableLook } from './meanings.ts';
import type { CsvKind } from './found.ts';
import { headerOf, kindOfHeader } from './kinds.ts';
import { type CsvHead, csvHeads } from './rows.ts';
import { isOwnHeader } from './own-table.ts';

export type CsvLook = { readonly head: CsvHead; /** As any table. */ readonly table: TableLook } & (
  | { readonly is: 'known'; readonly kind: CsvKind }
  | { readonly is: 'own' | 'keeper' | 'table' }
);

/** @param isWhole whether `text` is the whole file. @returns null for a text that is no table */
export function lookAtCsv(text: string, isWhole: boolean): CsvLook | null {
  // JSON, XML and HTML.
  if (/^\s*[[{<]/.test(text)) return null;
  const heads = csvHeads(text, isWhole);
  for (const head of heads) {
    const header = headerOf(head.rows[0] ?? []);
    if (isOwnHeader(header)) return { is: 'own', ...of(head) };
    const kind = kindOfHeader(header);
    if (kind !== null) return { is: 'known', kind, ...of(head) };
  }
  const keeper = heads.find(({ shape, rows }) => shape.delimiter === ',' && isKeeper(rows));
  if (keeper !== undefined) return { is: 'keeper', ...of(keeper) };
  // The delimiter of most columns.
  const [head] = heads.filter(isTable).toSorted((a, b) => width(b) - width(a));
  return head === undefined ? null : { is: 'table', ...of(head) };
}

const of = (head: CsvHead) => ({ head, table: lookAtTable(head.rows) });

const width = ({ rows }: CsvHead): number => rows[0]?.length ?? 0;

const KEEPER_COLUMNS = 7;

/** No header: folder, title, login, password, address, notes, shared folder, then names and values. */
function isKeeper(rows: readonly (readonly string[])[]): boolean {
  const isRow = (cells: readonly string[]) =>
    cells.length >= KEEPER_COLUMNS && (cells.length - KEEPER_COLUMNS) % 2 === 0;
  const addresses = rows.filter((cells) => /^[a-z][\w+.-]*:\/\/\S+$/i.test(cells[4]?.trim() ?? ''));
  return rows.every(isRow) && addresses.length * 2 > rows.length;
}

/** Two rows or more of equal width, and more than two columns or one that is known: prose and code seldom have that. */
const isTable = (head: CsvHead): boolean =>
  head.rows.length > 1 &&
  head.rows.every((cells) => cells.length === width(head)) &&
  (width(head) > 2 || lookAtTable(head.rows).proposed.meanings.some((meaning) => meaning !== 'text'));
