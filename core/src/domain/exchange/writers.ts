/** The kinds of files that can be written. */
import { utf8 } from '../../crypto/bytes.ts';
import { IMPORT_PARTS, LIMITS as VAULT } from '../limits.ts';
import type { FileArgon2 } from './file-argon2.ts';
import type { ExchangeTree, SkippedThing } from './tree.ts';

export interface WriteOptions {
  /** Of kinds that are encrypted. */
  readonly password: string;
  /** Unix ms, for times that are not known. */
  readonly now: number;
  /** Of this site: 'vault.example.org'. */
  readonly host?: string | undefined;
  readonly argon2: FileArgon2;
  readonly signal?: AbortSignal | undefined;
  /** Entries. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  /** What is written exceeds a limit of our own reader, which will refuse the whole file. */
  readonly onUnreadable?: (() => void) | undefined;
}

/** @throws ExchangeError; the signal's reason */
export type Write = (tree: ExchangeTree, options: WriteOptions) => AsyncIterable<Uint8Array>;

export interface WriterCode {
  readonly write: Write;
  /** What the kind cannot hold; empty if reading the file gives the same tree. */
  readonly lossOf: (tree: ExchangeTree) => readonly SkippedThing[];
}

export interface Writer {
  readonly id: string;
  /** 'KeePass (KDBX 4)' */
  readonly label: string;
  /** 'kdbx' */
  readonly extension: string;
  readonly mime: string;
  /** The same of a file that also holds attachments, where it is another one. */
  readonly withFiles?: { readonly extension: string; readonly mime: string };
  readonly isEncrypted: boolean;
  /** Its code is loaded when such a file is written. */
  readonly load: () => Promise<WriterCode>;
}

export const WRITERS: readonly Writer[] = [
  {
    id: 'pbx',
    label: 'PasswordBroker archive',
    extension: 'pbx',
    mime: 'application/octet-stream',
    isEncrypted: true,
    load: async () => {
      const { writeArchive: write, lossOfArchive: lossOf } = await import('./archive/write-archive.ts');
      return { write, lossOf };
    },
  },
  {
    id: 'kdbx',
    label: 'KeePass (KDBX 4)',
    extension: 'kdbx',
    mime: 'application/x-keepass2',
    isEncrypted: true,
    load: async () => {
      const { writeKdbx: write, lossOfKdbx: lossOf } = await import('./kdbx/write-kdbx.ts');
      return { write, lossOf };
    },
  },
  {
    id: 'bitwarden',
    label: 'Bitwarden, password-protected',
    extension: 'json',
    mime: 'application/json',
    isEncrypted: true,
    load: async () => {
      const { writeBitwarden: write, lossOfBitwarden: lossOf } = await import('./bitwarden/write-bitwarden.ts');
      return { write, lossOf };
    },
  },
  {
    id: 'bitwarden-plain',
    label: 'Bitwarden, not encrypted',
    extension: 'json',
    mime: 'application/json',
    withFiles: { extension: 'zip', mime: 'application/zip' },
    isEncrypted: false,
    load: async () => {
      const { writeBitwardenPlain: write, lossOfBitwardenPlain: lossOf } =
        await import('./bitwarden/write-bitwarden.ts');
      return { write, lossOf };
    },
  },
  {
    id: 'cxf',
    label: 'FIDO CXF',
    extension: 'zip',
    mime: 'application/zip',
    isEncrypted: false,
    load: async () => {
      const { writeCxf: write, lossOfCxf: lossOf } = await import('./cxf/write-cxf.ts');
      return { write, lossOf };
    },
  },
  {
    id: 'csv-manager',
    label: 'CSV for other programs',
    extension: 'csv',
    mime: 'text/csv',
    isEncrypted: false,
    load: async () => {
      const { writeManagerCsv: write, lossOfManagerCsv: lossOf } = await import('./csv/manager-csv.ts');
      return { write, lossOf };
    },
  },
  {
    id: 'csv-table',
    label: 'CSV for table programs',
    extension: 'csv',
    mime: 'text/csv',
    isEncrypted: false,
    load: async () => {
      const { writeTable: write, lossOfTable: lossOf } = await import('./csv/own-table.ts');
      return { write, lossOf };
    },
  },
];

/** Asked before writing. @param format the id of a writer */
export async function lossOf(format: string, tree: ExchangeTree): Promise<readonly SkippedThing[]> {
  const writer = WRITERS.find(({ id }) => id === format);
  if (writer === undefined) throw new Error(`No writer ${format}`);
  return (await writer.load()).lossOf(tree);
}

/** Of an entry in a sealed import, and of a value beside its text: keys, ids, titles (measured, rounded up). */
const SEALED_BYTES = { entry: 250, value: 850 } as const;

/** Most bytes of one import, in several parts that are not filled (docs/spec/api.md §3.10). */
const SEALED_MOST = 0.9 * IMPORT_PARTS * VAULT.importBytes;

/** Whether one import takes all of it again. */
export function fitsOneImport({ entries }: ExchangeTree): boolean {
  let sealed = entries.length * SEALED_BYTES.entry;
  for (const { fields } of entries)
    for (const { revisions } of fields)
      for (const { content } of revisions)
        sealed +=
          SEALED_BYTES.value + (content.type === 'file' ? content.bytes.length : utf8(content.value).length * (4 / 3));
  return sealed <= SEALED_MOST;
}
