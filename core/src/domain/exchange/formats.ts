/** The kinds of files that can be imported, recognised by content (never by name). */
import { type Bytes, utf8 } from '../../crypto/bytes.ts';
import type { ColumnChoice, TableLook } from './csv/meanings.ts';
import type { CsvLook } from './csv/detect.ts';
import { CSV_KINDS } from './csv/kinds.ts';
import { EXCHANGE_LIMITS, ExchangeError } from './exchange-error.ts';
import type { FileArgon2 } from './file-argon2.ts';
import { isKdbx } from './kdbx/header.ts';
import {
  is1Pux,
  isBitwarden,
  isBitwardenZip,
  isCxf,
  isKeeper,
  isProtectedBitwarden,
  isProtonPass,
} from './json/detect.ts';
import { chunksOf, HEAD_BYTES, textOfHead } from './text.ts';
import type { ExchangeTree } from './tree.ts';

/** What a person has given to open a file. */
export interface Given {
  readonly password?: string;
  readonly keyFile?: Bytes;
  /** What the columns mean, for a file that `needs` it. */
  readonly columns?: ColumnChoice;
}

export interface ReadOptions {
  /** Unix ms. */
  readonly now: number;
  /** `fileArgon2`, where WebAssembly may run: the worker of a browser that reads files may not run it itself. */
  readonly argon2: FileArgon2;
  readonly signal?: AbortSignal | undefined;
  /** Bytes, or a share of 1 while a key is derived. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** @throws ExchangeError; the signal's reason */
export type Read = (file: Blob, given: Given, options: ReadOptions) => Promise<ExchangeTree>;

/** What detection sees. */
export interface Look {
  /** For kinds that are recognised by more than the head. */
  readonly file: Blob;
  /** At most 64 KiB. */
  readonly head: Bytes;
  /** `head` as text without its mark; null if it is none. */
  readonly text: string | null;
  /** Of the files in a ZIP archive; null if it is none. */
  readonly names: readonly string[] | null;
  /** Null if it is no CSV. */
  readonly csv: CsvLook | null;
}

/** What a person is asked for before the file is read. */
export type Needs = 'nothing' | 'password' | 'columns';

export interface Format {
  readonly id: string;
  /** 'KeePass XML 2.x' */
  readonly label: string;
  /** The file of the same program that holds more: 'KDBX'. */
  readonly better?: string | undefined;
  /** True if the file is of this kind. @throws ExchangeError with what to do, for a kind that is known but cannot be read */
  readonly fits: (look: Look) => boolean | Promise<boolean>;
  /** Missing: 'nothing'. */
  readonly needs?: (look: Look) => Needs;
  /** Its code is loaded when such a file is read. */
  readonly load: () => Promise<Read>;
}

/** An age file to a passphrase. */
const AGE = utf8('age-encryption.org/v1\n-> scrypt ');

/** The first that fits wins. */
export const FORMATS: readonly Format[] = [
  {
    id: 'kdbx',
    label: 'KeePass (KDBX)',
    fits: ({ head }) => isKdbx(head),
    needs: () => 'password',
    load: async () => (await import('./kdbx/read-kdbx.ts')).readKdbx,
  },
  {
    id: '1pux',
    label: '1Password 1PUX',
    fits: is1Pux,
    load: async () => (await import('./json/read-1pux.ts')).read1Pux,
  },
  {
    id: 'bitwarden-zip',
    label: 'Bitwarden ZIP',
    fits: isBitwardenZip,
    load: async () => (await import('./bitwarden/read-bitwarden.ts')).readBitwardenZip,
  },
  {
    id: 'bitwarden',
    label: 'Bitwarden JSON',
    fits: isBitwarden,
    needs: (look) => (isProtectedBitwarden(look) ? 'password' : 'nothing'),
    load: async () => (await import('./bitwarden/read-bitwarden.ts')).readBitwarden,
  },
  {
    id: 'proton-pass-zip',
    label: 'Proton Pass ZIP',
    fits: (look) => look.names !== null && isProtonPass(look),
    load: async () => (await import('./json/read-proton-pass.ts')).readProtonPassZip,
  },
  {
    id: 'proton-pass',
    label: 'Proton Pass JSON',
    fits: isProtonPass,
    load: async () => (await import('./json/read-proton-pass.ts')).readProtonPass,
  },
  {
    id: 'cxf-zip',
    label: 'FIDO CXF (ZIP)',
    fits: (look) => look.names !== null && isCxf(look),
    load: async () => (await import('./cxf/read-cxf.ts')).readCxfZip,
  },
  {
    id: 'cxf',
    label: 'FIDO CXF (JSON)',
    fits: isCxf,
    load: async () => (await import('./cxf/read-cxf.ts')).readCxf,
  },
  {
    id: 'keeper',
    label: 'Keeper JSON',
    fits: isKeeper,
    load: async () => (await import('./json/read-keeper.ts')).readKeeper,
  },
  {
    id: 'pbx',
    label: 'PasswordBroker archive',
    fits: ({ head }) => AGE.every((byte, at) => head[at] === byte),
    needs: () => 'password',
    load: async () => (await import('./archive/read-archive.ts')).readArchive,
  },
  {
    id: 'keepass-xml',
    label: 'KeePass XML 2.x',
    // Also behind a document type, which the reader refuses.
    fits: ({ text }) => text !== null && /^\s*</.test(text) && /<KeePassFile[\s>/]/.test(text),
    load: async () => {
      const { readKeepassXml } = await import('../keepass/read.ts');
      return (file, _given, { signal, onProgress }) =>
        readKeepassXml(chunksOf(file), { signal, onProgress: (done) => onProgress?.(done, file.size) });
    },
  },
  {
    id: 'dashlane',
    label: 'Dashlane (ZIP)',
    fits: ({ names }) => names?.some((name) => /(?:^|\/)credentials\.csv$/i.test(name)) ?? false,
    load: async () => (await import('./csv/dashlane-zip.ts')).readDashlaneZip,
  },
  ...CSV_KINDS.map((kind): Format => ({
    id: kind.id,
    label: kind.label,
    better: kind.better,
    fits: ({ csv }) => csv?.is === 'known' && csv.kind.id === kind.id,
    load: async () => (await import('./csv/read.ts')).readCsvOf(kind),
  })),
  {
    id: 'csv-table',
    label: 'PasswordBroker (CSV)',
    fits: ({ csv }) => csv?.is === 'own',
    load: async () => (await import('./csv/read.ts')).readOwnTable,
  },
  {
    id: 'keeper-csv',
    label: 'Keeper (CSV)',
    better: 'JSON',
    fits: ({ csv }) => csv?.is === 'keeper',
    load: async () => (await import('./csv/read.ts')).readKeeperCsv,
  },
  {
    id: 'otpauth',
    label: 'Codes of an authenticator app (otpauth)',
    fits: ({ text }) => text !== null && /^\s*otpauth(?:-migration)?:\/\//i.test(text),
    load: async () => (await import('./otp-lines.ts')).readOtpLines,
  },
  {
    id: 'csv',
    label: 'Any table (CSV)',
    fits: ({ csv }) => csv?.is === 'table',
    needs: () => 'columns',
    load: async () => (await import('./csv/read.ts')).readCsvByColumns,
  },
];

export interface DetectedFormat {
  readonly format: Format;
  readonly needs: Needs;
  /** Of a CSV file, also of a known one: it can be read as any table. */
  readonly table: TableLook | null;
  /** What another format would need. */
  readonly needsOf: (other: Format) => Needs;
}

/** @throws ExchangeError `empty`, `unknown_kind`, or what a format says */
export async function detectFormat(file: Blob): Promise<DetectedFormat> {
  if (file.size === 0) throw new ExchangeError('empty', 'The file could not be read: it is empty.');
  const look = await lookAt(file);
  const needsOf = ({ needs }: Format) => needs?.(look) ?? 'nothing';
  const table = look.csv?.table ?? null;
  for (const format of FORMATS) if (await format.fits(look)) return { format, needs: needsOf(format), table, needsOf };
  if (look.text !== null && /^\s*<\?xml\s/.test(look.text))
    throw new ExchangeError('not_keepass', 'The file is not a KeePass XML 2.x file.');
  throw new ExchangeError('unknown_kind', 'This file is of no kind that can be imported.');
}

async function lookAt(file: Blob): Promise<Look> {
  const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  const text = textOfHead(head);
  return { file, head, text, csv: await csvIn(file, text), names: isZip(head) ? await namesIn(file) : null };
}

const isZip = (head: Bytes) => head[0] === 0x50 && head[1] === 0x4b && head[2] === 3 && head[3] === 4;

async function namesIn(file: Blob): Promise<readonly string[]> {
  const { openZip } = await import('./zip.ts');
  return (await openZip(file)).names;
}

async function csvIn(file: Blob, text: string | null): Promise<CsvLook | null> {
  return text === null ? null : (await import('./csv/detect.ts')).lookAtCsv(text, file.size <= HEAD_BYTES);
}

/** Bytes of the largest file that is read: ZIP archives and ours may be larger. */
export async function fileLimitOf(file: Blob): Promise<number> {
  const head = await file.slice(0, 18).text();
  const isArchive = head.startsWith('PK\u0003\u0004') || head.startsWith('age-encryption.org');
  return isArchive ? EXCHANGE_LIMITS.archiveBytes : EXCHANGE_LIMITS.bytes;
}
