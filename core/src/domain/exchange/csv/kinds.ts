/**
 * The CSV files of known programs, recognised by their columns. Where a header is known from is said at each; none of them is written
 * down in a standard.
 */
import { DASHLANE_KINDS } from './dashlane.ts';
import type { CsvKind } from './found.ts';
import { LASTPASS_KINDS } from './lastpass.ts';
import { NORDPASS } from './nordpass.ts';
import { BITWARDEN, FIREFOX, KEEPASSXC, ONE_PASSWORD, PROTON_PASS, TEAMPASS } from './programs.ts';

const SLASH = /\//;

export const CSV_KINDS: readonly CsvKind[] = [
  ...LASTPASS_KINDS,
  {
    // Header: written by Chromium 152 (password_csv_writer.cc); Edge, Brave, Opera and Vivaldi have the same.
    id: 'chrome-csv',
    label: 'Chrome, Edge, Brave, Opera (CSV)',
    columns: { name: 'title', url: 'url', username: 'login', password: 'password', note: 'notes' },
    optional: ['note'],
  },
  FIREFOX,
  {
    // Header: Passwords of macOS 12.3 and later, and its Safari; as Apple's page about the export shows it.
    id: 'apple-csv',
    label: 'Apple Passwords, Safari (CSV)',
    columns: { title: 'title', url: 'url', username: 'login', password: 'password', notes: 'notes', otpauth: 'totp' },
    optional: ['notes'],
  },
  KEEPASSXC,
  {
    // Header: KeePass 2.x, 'KeePass CSV (1.x)' (KeePassCsv1x.cs); quotes and backslashes have a backslash before them.
    id: 'keepass-csv',
    label: 'KeePass (CSV)',
    better: 'KDBX',
    columns: { account: 'title', 'login name': 'login', password: 'password', 'web site': 'url', comments: 'notes' },
    text: 'backslashes',
  },
  ONE_PASSWORD,
  BITWARDEN,
  NORDPASS,
  PROTON_PASS,
  {
    // Header: Passbolt's row composers `CsvKdbx` and `Csv1Password`; it also writes the headers of eight other programs.
    id: 'passbolt-csv',
    label: 'Passbolt (CSV)',
    better: 'KDBX',
    columns: {
      title: 'title',
      username: 'login',
      url: 'url',
      password: 'password',
      notes: 'notes',
      group: 'group',
      totp: 'totp',
      type: 'text',
    },
    optional: ['group', 'totp', 'type'],
    isIts: (header) => header.includes('group') || header.includes('type'),
    separator: SLASH,
    adjust(found, cell) {
      if (cell('type') === 'Login') found.others = [];
      return true;
    },
  },
  TEAMPASS,
  ...DASHLANE_KINDS,
];

/** Newer versions add columns: so many may stand beside those that are known, in a header of at least so many. */
const ADDED = 2;
const LONG_HEADER = 8;

/** The kind with the most known columns; null if no kind fits. @param header in lower case */
export function kindOfHeader(header: readonly string[]): CsvKind | null {
  let best: { kind: CsvKind; known: number } | null = null;
  for (const kind of CSV_KINDS) {
    if (!fitsHeader(kind, header)) continue;
    const known = header.filter((name) => Object.hasOwn(kind.columns, name)).length;
    if (best === null || known > best.known) best = { kind, known };
  }
  return best?.kind ?? null;
}

export function fitsHeader(
  { columns, optional = [], isOpen = false, isIts }: CsvKind,
  header: readonly string[],
): boolean {
  const names = new Set(header);
  const hasAll = Object.keys(columns).every((name) => names.has(name) || optional.includes(name));
  const others = header.filter((name) => !Object.hasOwn(columns, name)).length;
  const mayHave = isOpen ? header.length : header.length >= LONG_HEADER ? ADDED : 0;
  return hasAll && others <= mayHave && (isIts?.(header) ?? true);
}

export const headerOf = (cells: readonly string[]): string[] => cells.map((cell) => cell.trim().toLowerCase());
