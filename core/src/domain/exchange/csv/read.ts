/** Readers of CSV files: of known programs, of our own, and of tables whose columns a person has named. */
import { ExchangeError, EXCHANGE_LIMITS as LIMITS } from '../exchange-error.ts';
import type { Read, ReadOptions } from '../formats.ts';
import { decodeText, HEAD_BYTES, textOfHead } from '../text.ts';
import { noteField, passwordField, type TreeBuilder, treeBuilder } from '../tree-builder.ts';
import { columnsOf } from './columns.ts';
import { lookAtCsv } from './detect.ts';
import { addFound, type Column, type CsvKind, type Dialect, findParts, type Part, pathOf } from './found.ts';
import { fitsHeader, headerOf } from './kinds.ts';
import { ownTableReader } from './own-table.ts';
import { withoutEntities } from './programs.ts';
import { type CsvHead, csvHeads, type CsvRow, doesNotFit, readRows } from './rows.ts';

type Reading = Pick<ReadOptions, 'signal' | 'onProgress'>;

export const readCsvOf =
  (kind: CsvKind): Read =>
  async (file, _given, options) => {
    const tree = treeBuilder(options.now);
    await readKind(tree, kind, file, options);
    return tree.end();
  };

/** @throws ExchangeError also for a header of another kind */
export async function readKind(tree: TreeBuilder, kind: CsvKind, file: Blob, reading: Reading): Promise<void> {
  const head = (await headsOf(file)).find(({ rows }) => fitsHeader(kind, headerOf(rows[0] ?? [])));
  if (head === undefined) throw doesNotFit(1);
  const first = head.rows[0] ?? [];
  const header = headerOf(first);
  const columns: Column[] = first.map((name, at) => ({
    name: name.trim() || `Column ${at + 1}`,
    part: partOf(kind, header[at] ?? ''),
  }));
  const hasEntities = kind.text === 'entities' && (await hasOnlyEntities(file, head, columns.length, reading.signal));
  if (hasEntities) tree.leaveOut('text', 'with signs in the spelling of HTML (&amp;), which was undone');

  const places = new Map(header.map((name, at) => [name, at]));
  let cells: readonly string[] = [];
  const cell = (column: string) => cells[places.get(column) ?? -1] ?? '';
  const dialect: Dialect = { ...kind, separator: kind.separator ?? null };
  for await (const rows of rowsOf(tree, file, head, columns.length, reading, kind.text === 'backslashes')) {
    for (const row of rows) {
      cells = hasEntities ? row.cells.map((one) => withoutEntities(one)) : row.cells;
      const found = findParts(columns, cells, dialect);
      if (kind.adjust?.(found, cell, tree) ?? true) addFound(tree, found);
    }
  }
}

const partOf = ({ columns }: CsvKind, name: string): Part =>
  Object.hasOwn(columns, name) ? (columns[name] ?? 'text') : 'text';

async function headsOf(file: Blob): Promise<CsvHead[]> {
  const bytes = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  const text = textOfHead(bytes);
  return text === null ? [] : csvHeads(text, file.size <= HEAD_BYTES);
}

/** Rows below the header. */
async function* rowsOf(
  tree: TreeBuilder,
  file: Blob,
  { shape }: CsvHead,
  columns: number | null,
  { signal, onProgress }: Reading,
  hasBackslashes = false,
  hasHeader = true,
): AsyncGenerator<readonly CsvRow[]> {
  if (file.size > LIMITS.bytes) throw ExchangeError.largerThan(LIMITS.bytes);
  const { pieces, isWestern } = await decodeText(file, {
    signal,
    onProgress: (done) => onProgress?.(done, file.size),
  });
  if (isWestern) tree.leaveOut('text', 'not UTF-8, read as Western European');
  let isFirst = hasHeader;
  for await (const rows of readRows(hasBackslashes ? withoutBackslashes(pieces) : pieces, shape, columns)) {
    yield isFirst ? rows.slice(1) : rows;
    if (rows.length > 0) isFirst = false;
  }
}

/** `\"` and `\\` as RFC 4180 has them. */
async function* withoutBackslashes(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let held = '';
  for await (const piece of pieces) {
    const text = held + piece;
    // A backslash at the end belongs to the next piece, if it is not escaped itself.
    const isOpen = (/\\*$/.exec(text)?.[0].length ?? 0) % 2 === 1;
    held = isOpen ? '\\' : '';
    yield (isOpen ? text.slice(0, -1) : text).replaceAll(/\\(["\\])/g, (_whole, sign) => (sign === '"' ? '""' : '\\'));
  }
  yield held;
}

/** True if there is an ampersand, and each begins an entity: some versions of LastPass write all texts that way, others none. */
async function hasOnlyEntities(
  file: Blob,
  head: CsvHead,
  columns: number,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const { pieces } = await decodeText(file, { signal });
  let isFound = false;
  for await (const rows of readRows(pieces, head.shape, columns)) {
    for (const { cells } of rows) {
      for (const cell of cells) {
        if (!cell.includes('&')) continue;
        if (/&(?!(?:amp|lt|gt|quot|apos|nbsp|#\d{1,7}|#x[\da-f]{1,6});)/i.test(cell)) return false;
        isFound = true;
      }
    }
  }
  return isFound;
}

export const readCsvByColumns: Read = async (file, { columns: choice }, options) => {
  const text = textOfHead(new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer()));
  const look = text === null ? null : lookAtCsv(text, file.size <= HEAD_BYTES);
  const first = look?.head.rows[0];
  if (look === null || first === undefined) throw doesNotFit(1);
  const { head, table } = look;
  const chosen = choice ?? table.proposed;
  if (chosen.meanings.length !== first.length) throw doesNotFit(1);
  const { columns, dialect } = columnsOf(chosen, first);
  const tree = treeBuilder(options.now);
  for await (const rows of rowsOf(tree, file, head, columns.length, options, false, chosen.hasNames))
    for (const { cells } of rows) addFound(tree, findParts(columns, cells, dialect));
  return tree.end();
};

export const readOwnTable: Read = async (file, _given, options) => {
  const heads = await headsOf(file);
  const tree = treeBuilder(options.now);
  const [head] = heads.toSorted((a, b) => (b.rows[0]?.length ?? 0) - (a.rows[0]?.length ?? 0));
  if (head === undefined) throw doesNotFit(1);
  const header = headerOf(head.rows[0] ?? []);
  const reader = ownTableReader(tree, header);
  for await (const rows of rowsOf(tree, file, head, header.length, options)) for (const row of rows) reader.row(row);
  reader.end();
  return tree.end();
};

export const readKeeperCsv: Read = async (file, _given, options) => {
  const head = (await headsOf(file)).find(({ shape }) => shape.delimiter === ',');
  if (head === undefined) throw doesNotFit(1);
  const tree = treeBuilder(options.now);
  for await (const rows of rowsOf(tree, file, head, null, options, false, false))
    for (const row of rows) addKeeperRow(tree, row);
  return tree.end();
};

/** Of Keeper, whose CSV has no header (as Keeper's pages and Proton Pass's importer describe it). */
const KEEPER_COLUMNS: readonly Column[] = [
  { name: 'Folder', part: 'group' },
  { name: 'Title', part: 'title' },
  { name: 'Login', part: 'login' },
  { name: 'Password', part: 'password' },
  { name: 'URL', part: 'url' },
  { name: 'Notes', part: 'notes' },
  { name: 'Shared folder', part: 'none' },
];
const KEEPER_DIALECT: Dialect = { separator: /\\/ };
const KEEPER_SECRET =
  /^\$?(?:pin ?code|secret|password|hidden field|key ?pair|private ?key|account ?number|payment ?card)/i;

/** Folder, title, login, password, address, notes, shared folder; then names and values by turns. */
function addKeeperRow(tree: TreeBuilder, { cells, line }: CsvRow): void {
  if (cells.length < KEEPER_COLUMNS.length || (cells.length - KEEPER_COLUMNS.length) % 2 !== 0) throw doesNotFit(line);
  const found = findParts(KEEPER_COLUMNS, cells, KEEPER_DIALECT);
  const shared = cells[KEEPER_COLUMNS.length - 1] ?? '';
  if (found.path.length === 0) found.path = pathOf(shared, KEEPER_DIALECT.separator);
  else if (shared !== '') found.others.push(noteField('Shared folder', shared));
  for (let at = KEEPER_COLUMNS.length; at < cells.length; at += 2) {
    const [name = '', value = ''] = cells.slice(at, at + 2);
    if (value === '') continue;
    if (name === 'TFC:Keeper' || name.startsWith('$oneTimeCode')) found.codes.push(value);
    else found.others.push(KEEPER_SECRET.test(name) ? passwordField(name, '', value) : noteField(name, value));
  }
  addFound(tree, found);
}
