/** Rows of a CSV file (RFC 4180), with commas, semicolons or tabs. */
import Papa from 'papaparse';
import { EXCHANGE_LIMITS as LIMITS, ExchangeError } from '../exchange-error.ts';

export interface CsvShape {
  readonly delimiter: ',' | ';' | '\t';
  readonly newline: '\r\n' | '\n' | '\r';
}

export interface CsvRow {
  readonly cells: readonly string[];
  /** Of the file, from 1 on. */
  readonly line: number;
}

/** Whole rows of the beginning of a file, read with one of the delimiters. */
export interface CsvHead {
  readonly shape: CsvShape;
  readonly rows: readonly (readonly string[])[];
}

const HEAD_ROWS = 100;

/** One for each delimiter that the first row has. @param isWhole whether `text` is the whole file */
export function csvHeads(text: string, isWhole: boolean): CsvHead[] {
  const newline = newlineOf(text);
  return ([',', ';', '\t'] as const).flatMap((delimiter) => {
    const shape = { delimiter, newline };
    const { rows } = parse(text, shape, isWhole);
    const shown = rows.filter(hasCells).slice(0, HEAD_ROWS);
    return (shown[0]?.length ?? 0) > 1 ? [{ shape, rows: shown }] : [];
  });
}

/** As the first row ends. */
function newlineOf(text: string): CsvShape['newline'] {
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '"') isQuoted = !isQuoted;
    else if (!isQuoted && sign === '\n') return '\n';
    else if (!isQuoted && sign === '\r') return /^\r+\n/.test(text.slice(at, at + 9)) ? '\r\n' : '\r';
  }
  return '\n';
}

/** Empty lines, and those with nothing but delimiters, are no rows. */
const hasCells = (cells: readonly string[]): boolean => cells.some((cell) => cell.trim() !== '');

/** `rest` is where a row begins that may go on in the next piece; `broken` is the first row with quotes at wrong places. */
function parse(text: string, { delimiter, newline }: CsvShape, isLast: boolean) {
  const { data, errors, meta } = new Papa.Parser({ delimiter, newline }).parse(text, 0, !isLast) as {
    data: string[][];
    errors: readonly { row: number }[];
    meta: { cursor: number };
  };
  // An error of a row that is not complete may be the cut alone.
  const broken = errors.find(({ row }) => isLast || row < data.length)?.row ?? null;
  return { rows: data, broken, rest: isLast ? '' : text.slice(meta.cursor) };
}

/**
 * All rows in portions, the first row included.
 * @param columns that each row has; null: any number
 * @throws ExchangeError for rows that are too long, too wide, or do not fit the first
 */
export async function* readRows(
  pieces: AsyncIterable<string>,
  shape: CsvShape,
  columns: number | null,
): AsyncGenerator<readonly CsvRow[]> {
  let line = 1;
  let count = 0;
  const taken = ({ rows, broken }: ReturnType<typeof parse>): CsvRow[] => {
    const found: CsvRow[] = [];
    if ((count += rows.length) > LIMITS.csvRows) throw ExchangeError.unreadable('it has too many rows');
    for (const [at, cells] of rows.entries()) {
      if (at === broken) throw doesNotFit(line);
      let length = 0;
      let lines = 1;
      for (const cell of cells) {
        length += cell.length;
        if (cell.includes(shape.newline)) lines += cell.split(shape.newline).length - 1;
      }
      if (length > LIMITS.csvRow || cells.length > LIMITS.csvColumns) throw tooLong(line);
      if (hasCells(cells)) {
        if (columns !== null && cells.length !== columns) throw doesNotFit(line);
        found.push({ cells, line });
      }
      line += lines;
    }
    return found;
  };

  let rest = '';
  for await (const piece of pieces) {
    const parsed = parse(rest + piece, shape, false);
    yield taken(parsed);
    rest = parsed.rest;
    if (rest.length > LIMITS.csvRow) throw tooLong(line);
  }
  if (rest !== '') yield taken(parse(rest, shape, true));
}

export const doesNotFit = (line: number) => new ExchangeError('unreadable', `Line ${line} does not fit the header.`);
const tooLong = (line: number) => new ExchangeError('unreadable', `Line ${line} is too long.`);
