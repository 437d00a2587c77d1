/** One row of a CSV file becomes one entry. */
import { isMigration, otpFields } from '../otp-migration.ts';
import type { TreeField } from '../tree.ts';
import type { Meaning } from './meanings.ts';
import { linkFields, noteField, passwordField, type TreeBuilder } from '../tree-builder.ts';

/** What a column of a known program is. Texts and secrets have a title of ours; things that are left out are counted. */
export type Part =
  | Meaning
  | 'favourite'
  | 'archived'
  | { readonly text: string }
  | { readonly secret: string }
  | { readonly leftOut: string };

export interface Column {
  /** As the file writes it, for values without a place of their own. */
  readonly name: string;
  readonly part: Part;
}

/** Collected from one row. */
export interface Found {
  path: readonly string[];
  title: string;
  login: string | null;
  password: string | null;
  urls: string[];
  notes: string[];
  codes: string[];
  others: TreeField[];
  created: number | null;
  modified: number | null;
  tags: string[];
  marks: string[];
  leftOut: string[];
}

export interface Dialect {
  /** Between the groups of a path; null: the text is one group. */
  readonly separator: RegExp | null;
  /** Several addresses of one cell. */
  readonly urls?: (cell: string) => readonly string[];
  readonly tagSeparator?: RegExp;
}

/** @returns false for a row that makes no entry */
export type Adjust = (found: Found, cell: (column: string) => string, tree: TreeBuilder) => boolean;

export interface CsvKind extends Partial<Dialect> {
  readonly id: string;
  readonly label: string;
  /** The file of the same program that holds more. */
  readonly better?: string;
  /** By their names in lower case. */
  readonly columns: Readonly<Record<string, Part>>;
  /** Columns that older or newer versions do not have. */
  readonly optional?: readonly string[];
  /** True if any other column may stand beside them; it becomes a text. */
  readonly isOpen?: boolean;
  /** For headers that others have, too. */
  readonly isIts?: (header: readonly string[]) => boolean;
  /** Changes what a row has become. */
  readonly adjust?: Adjust;
  readonly text?: CsvText;
}

/** How the text of a file is changed before it is read. */
export type CsvText = 'backslashes' | 'entities';

export function findParts(columns: readonly Column[], cells: readonly string[], dialect: Dialect): Found {
  const found: Found = {
    path: [],
    title: '',
    login: null,
    password: null,
    urls: [],
    notes: [],
    codes: [],
    others: [],
    created: null,
    modified: null,
    tags: [],
    marks: [],
    leftOut: [],
  };
  for (let at = 0; at < columns.length; at += 1) {
    const cell = cells[at] ?? '';
    const column = columns[at];
    if (cell !== '' && column !== undefined) take(found, column, cell, dialect);
  }
  return found;
}

function take(found: Found, { name, part }: Column, cell: string, dialect: Dialect): void {
  if (typeof part === 'object') {
    if ('text' in part) found.others.push(noteField(part.text, cell));
    else if ('secret' in part) found.others.push(passwordField(part.secret, '', cell));
    else if (isYes(cell)) found.leftOut.push(part.leftOut);
    return;
  }
  // A transfer code may stand anywhere but in a password.
  if (part !== 'password' && part !== 'secret' && part !== 'none' && isMigration(cell)) {
    found.codes.push(cell);
    return;
  }
  switch (part) {
    case 'title':
      if (found.title === '') found.title = cell;
      else found.others.push(noteField(name, cell));
      break;
    case 'group':
      found.path = found.path.concat(pathOf(cell, dialect.separator));
      break;
    case 'login':
      if (found.login === null) found.login = cell;
      else found.others.push(noteField(name, cell));
      break;
    case 'password':
      if (found.password === null) found.password = cell;
      else found.others.push(passwordField(name, '', cell));
      break;
    case 'url':
      found.urls.push(...(dialect.urls?.(cell) ?? [cell]));
      break;
    case 'notes':
      found.notes.push(cell);
      break;
    case 'totp':
      found.codes.push(cell);
      break;
    case 'created':
    case 'modified': {
      const time = readTime(cell);
      if (time !== null && found[part] === null) found[part] = time;
      else if (time === null && isYes(cell)) found.others.push(noteField(name, cell));
      break;
    }
    case 'tags':
      found.tags.push(...cell.split(dialect.tagSeparator ?? /[,;]/));
      break;
    case 'favourite':
      if (isYes(cell)) found.marks.push('Favourite');
      break;
    case 'archived':
      if (isYes(cell)) found.marks.push('Archived');
      break;
    case 'text':
      found.others.push(noteField(name, cell));
      break;
    case 'secret':
      found.others.push(passwordField(name, '', cell));
      break;
    case 'none':
      break;
  }
}

export const pathOf = (text: string, separator: RegExp | null): string[] =>
  text === '' ? [] : (separator === null ? [text] : text.split(separator)).filter((name) => name.trim() !== '');

const isYes = (cell: string): boolean => !/^\s*(?:0|false|no|none)?\s*$/i.test(cell);

/** Unix ms of ISO 8601 (UTC unless it says otherwise), or of seconds, milliseconds or microseconds; null for other texts. */
export function readTime(text: string): number | null {
  const trimmed = text.trim();
  if (/^\d{9,16}$/.test(trimmed)) {
    const number = Number(trimmed);
    return trimmed.length <= 10 ? number * 1000 : trimmed.length <= 13 ? number : Math.floor(number / 1000);
  }
  const [, day, time = '00:00', zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?\s*(Z|[+-]\d\d:?\d\d)?$/.exec(trimmed) ?? [];
  const ms = day === undefined ? Number.NaN : Date.parse(`${day}T${time}${zone}`);
  return Number.isNaN(ms) ? null : ms;
}

/** Without a title the host of the first address, or the user name, names the entry. */
export function addFound(tree: TreeBuilder, found: Found): void {
  const group = tree.group(found.path);
  const title = found.title.trim() === '' ? hostOf(found.urls[0]) || (found.login ?? '') : found.title;
  for (const kind of found.leftOut) tree.leaveOut(kind, 'not supported', tree.placeOf(group, title));
  const fields: TreeField[] = [];
  if (found.login !== null || found.password !== null)
    fields.push(passwordField('Password', found.login ?? '', found.password ?? ''));
  if (found.urls.length > 0) fields.push(...linkFields(found.urls));
  for (const code of found.codes)
    if (code.trim() !== '') fields.push(...otpFields(tree, code, tree.placeOf(group, title)));
  if (found.others.length > 0) fields.push(...found.others);
  tree.add({
    group,
    title,
    created: found.created,
    modified: found.modified,
    tags: found.tags,
    marks: found.marks,
    notes:
      found.notes.length > 1 ? found.notes.filter((note) => note.trim() !== '').join('\n\n') : (found.notes[0] ?? ''),
    fields,
  });
}

export function hostOf(url = ''): string {
  if (!/^[a-z][\w+.-]*:/i.test(url)) return url;
  try {
    return new URL(url).host || url;
  } catch {
    return url;
  }
}
