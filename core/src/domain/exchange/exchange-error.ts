import { LIMITS as VAULT } from '../limits.ts';

const MIB = 1024 * 1024;

export type ExchangeErrorCode =
  | 'not_keepass'
  | 'empty'
  /** Of no kind that can be imported. */
  | 'unknown_kind'
  /** Known, but it cannot be read; the message says what to do in the other program. */
  | 'unsupported'
  | 'wrong_password'
  | 'too_much_work'
  /** What was read, or compared, is no longer kept. */
  | 'gone'
  /** Larger than one import may be once it is sealed. */
  | 'too_large'
  | 'unreadable';

/** A file that cannot be imported or written. `message` is shown to the person. */
export class ExchangeError extends Error {
  override readonly name: string = 'ExchangeError';
  readonly code: ExchangeErrorCode;

  constructor(code: ExchangeErrorCode, sentence: string) {
    super(sentence);
    this.code = code;
  }

  static gone(): ExchangeError {
    return new ExchangeError('gone', 'What was read is gone. Read the file again.');
  }

  /** @param reason 'it is cut off' */
  static unreadable(reason: string): ExchangeError {
    return new ExchangeError('unreadable', `The file could not be read: ${reason}.`);
  }

  static largerThan(bytes: number): ExchangeError {
    return new ExchangeError('unreadable', `The file is larger than ${bytes / MIB} MiB.`);
  }

  static unpacksToMoreThan(bytes: number): ExchangeError {
    return new ExchangeError('unreadable', `The file unpacks to more than ${bytes / MIB} MiB.`);
  }

  /** @param what 'The password' */
  static wrong(what: string): ExchangeError {
    return new ExchangeError('wrong_password', `${what} is wrong.`);
  }

  static tooMuchWork(): ExchangeError {
    return new ExchangeError(
      'too_much_work',
      'Opening this file asks for more work than this browser should do. Save a copy with lower settings in your program.',
    );
  }
}

/**
 * What a file may cost; a hostile file ends with a sentence, not with a slow browser. An export stays within
 * `files`, `fileCount`, `groups`, `entries`, `fields` and `versions`, so that its file can be imported again.
 */
export const EXCHANGE_LIMITS = {
  /** Packed bytes of text files, and of archives. */
  bytes: VAULT.importBytes,
  archiveBytes: 256 * MIB,
  /** Unpacked bytes: of all texts, of one file, of all files. */
  unpackedText: 256 * MIB,
  file: VAULT.fileBytes,
  files: 100 * MIB,
  /** With former versions. Files are parts of one request (docs/spec/api.md §1.6), beside the batch. */
  fileCount: 999,
  /** Unpacked to packed bytes, above one MiB. */
  ratio: 100,
  ratioFrom: MIB,
  archiveEntries: 10_000,
  /** Attachments that a KDBX file stores; `fileCount` of them are imported. */
  pool: 10_000,
  groups: 20_000,
  entries: 50_000,
  fields: 500_000,
  /** Former ones of one field. */
  versions: 1000,
  /** Nesting of JSON; its objects and lists, all its values, different names: each takes time and memory before it is looked at. */
  depth: 64,
  jsonObjects: 1_500_000,
  jsonValues: 3_000_000,
  jsonNames: 200_000,
  text: VAULT.valueBytes,
  csvRow: MIB,
  csvColumns: 200,
  /** With empty ones. */
  csvRows: 1_000_000,
} as const;
