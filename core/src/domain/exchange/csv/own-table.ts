/** Our own CSV for table programs: one row a field, and one a group. It holds all but files and former values. */
import Papa from 'papaparse';
import { utf8 } from '../../../crypto/bytes.ts';
import { readDay, writeDay } from '../../entry-marks.ts';
import { totpOf } from '../one-time-password.ts';
import type { ExchangeTree, PlainContent, SkippedThing, TreeEntry, TreeField } from '../tree.ts';
import type { FoundEntry, TreeBuilder } from '../tree-builder.ts';
import { readTime } from './found.ts';
import { type CsvRow, doesNotFit } from './rows.ts';

/** The mark says that each cell which a table program might run as a formula has an apostrophe before it. */
const HEADER = [
  "group 'pb1'",
  'entry',
  'title',
  'type',
  'field',
  'login',
  'value',
  'tags',
  'expires',
  'created',
  'modified',
] as const;

/** @param header in lower case */
export const isOwnHeader = (header: readonly string[]): boolean => HEADER.every((name) => header.includes(name));

/** Cells that begin with an apostrophe get one more, so that one can always be taken off. */
const ESCAPED = /^['=+\-@\t\r]/;
const PORTION = 1000;

/** A mark of UTF-8 goes before: table programs need it. */
export async function* writeTable(tree: ExchangeTree): AsyncGenerator<Uint8Array> {
  yield utf8('\uFEFF');
  let rows: (readonly string[])[] = [HEADER];
  const written = () => {
    const text = Papa.unparse(rows as string[][], { newline: '\r\n', escapeFormulae: ESCAPED });
    rows = [];
    return utf8(`${text}\r\n`);
  };
  const paths = pathsOf(tree);
  for (const [at, { created, modified }] of tree.groups.entries())
    if (at > 0)
      rows.push([paths[at] ?? '', '', '', 'group', '', '', '', '', '', timeCell(created), timeCell(modified)]);
  for (const [at, entry] of tree.entries.entries()) {
    rows.push(...rowsOf(entry, paths[entry.group] ?? '', at + 1));
    if (rows.length >= PORTION) yield written();
  }
  if (rows.length > 0) yield written();
}

/** Names joined by slashes; those within a name have a backslash before them. */
function pathsOf({ groups }: ExchangeTree): string[] {
  const paths: string[] = [];
  for (const { name, parent } of groups) {
    const above = parent === null ? '' : (paths[parent] ?? '');
    const own = parent === null ? '' : name.replaceAll(/[\\/]/g, String.raw`\$&`);
    paths.push(above === '' ? own : `${above}/${own}`);
  }
  return paths;
}

const namesOf = (path: string): string[] =>
  path === '' ? [] : [...path.matchAll(/(?:\\.|[^\\/])+/gs)].map(([name]) => name.replaceAll(/\\(.)/gs, '$1'));

const timeCell = (ms: number | null): string => (ms === null ? '' : new Date(ms).toISOString());

function rowsOf(
  { title, tags, expires, created, modified, fields }: TreeEntry,
  path: string,
  number: number,
): string[][] {
  const day = expires === null ? '' : writeDay(expires);
  return fields.flatMap(({ revisions }) => {
    const content = revisions.at(-1)?.content;
    if (content === undefined || content.type === 'file') return [];
    const login = content.type === 'password' ? content.login : '';
    return [
      [
        path,
        String(number),
        title,
        content.type,
        content.title,
        login,
        valueOf(content),
        tags.join(', '),
        day,
        timeCell(created),
        timeCell(modified),
      ],
    ];
  });
}

function valueOf(content: Exclude<PlainContent, { type: 'file' }>): string {
  if (content.type !== 'TOTP') return content.value;
  const { value: secret, algorithm, period } = content;
  const query = new URLSearchParams({ secret, algorithm: algorithm.toUpperCase(), period: String(period) });
  return `otpauth://totp/code?${query}`;
}

/** Collects rows; `end` adds what they make. Entries keep the order of their first rows, also when a table program has sorted them. */
export function ownTableReader(tree: TreeBuilder, header: readonly string[]) {
  const at = new Map(header.map((name, index) => [name, index]));
  const entries = new Map<string, FoundEntry & { readonly fields: TreeField[] }>();
  return {
    row({ cells, line }: CsvRow): void {
      const cell = (name: (typeof HEADER)[number]) => (cells[at.get(name) ?? -1] ?? '').replace(/^'/, '');
      const path = namesOf(cell("group 'pb1'"));
      const times = { created: readTime(cell('created')), modified: readTime(cell('modified')) };
      if (cell('type') === 'group') {
        tree.group(path, times);
        return;
      }
      const content = contentOf(cell('type'), cell('field'), cell('login'), cell('value'));
      if (content === null) throw doesNotFit(line);
      const key = cell('entry') || `line ${line}`;
      const entry = entries.get(key) ?? {
        group: tree.group(path),
        title: cell('title'),
        ...times,
        expires: readDay(cell('expires')),
        tags: cell('tags').split(','),
        fields: [],
      };
      entry.fields.push({ type: content.type, revisions: [{ content, at: null }] });
      entries.set(key, entry);
    },
    end(): void {
      for (const entry of entries.values()) tree.add(entry);
    },
  };
}

function contentOf(type: string, title: string, login: string, value: string): PlainContent | null {
  if (type === 'password') return { type, title, login, value };
  if (type === 'link' || type === 'note') return { type, title, value };
  if (type !== 'TOTP') return null;
  const query = new URLSearchParams(value.split('?')[1] ?? '');
  const read = totpOf({ secret: query.get('secret'), algorithm: query.get('algorithm'), period: query.get('period') });
  return read === null ? null : { type, title, value: read.secret, algorithm: read.algorithm, period: read.period };
}

const NOT_IN_CSV = 'not kept in a CSV file';

/** What both kinds of CSV leave out. */
export function sharedLoss({ entries }: ExchangeTree): { files: number; versions: number; empty: number } {
  let [files, versions, empty] = [0, 0, 0];
  for (const { fields } of entries) {
    const own = fields.filter(({ type }) => type === 'file').length;
    files += own;
    if (own === fields.length) empty += 1;
    for (const { revisions } of fields) versions += revisions.length - 1;
  }
  return { files, versions, empty };
}

export const lossList = (
  things: readonly (readonly [kind: string, count: number, reason?: string])[],
): SkippedThing[] =>
  things.flatMap(([kind, count, reason = NOT_IN_CSV]) => (count === 0 ? [] : [{ kind, reason, count }]));

export function lossOfTable(tree: ExchangeTree): readonly SkippedThing[] {
  const { files, versions, empty } = sharedLoss(tree);
  const paths = pathsOf(tree);
  return lossList([
    ['file', files],
    ['version', versions],
    ['entry', empty, 'without any text'],
    ['group', paths.length - new Set(paths).size, 'of the same name beside another, so they become one'],
  ]);
}
