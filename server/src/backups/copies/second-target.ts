import type { FileDigest } from '../archive-files.ts';

/** All methods throw CopyFailed. */
export interface Store {
  /** Null if absent. May stop reading beyond `most` bytes. */
  digest(name: string, most: number): Promise<FileDigest | null>;
  /** Whether this name is `source` itself, as through a link. */
  isSource(name: string, source: string): Promise<boolean>;
  /** The name must be free. */
  put(name: string, source: string, digest: FileDigest): Promise<void>;
  /** No error if absent. */
  remove(name: string): Promise<void>;
}

/** The message is for the site admin, without paths, keys or names. */
export class CopyFailed extends Error {
  readonly code: string;
  /** A retry is useless until a person acts. */
  readonly isFinal: boolean;

  constructor(sentence: string, code: string, isFinal = false) {
    super(sentence);
    this.name = 'CopyFailed';
    this.code = code;
    this.isFinal = isFinal;
  }
}

export const FULL = 'There is not enough space in the second target.';
export const ITSELF =
  'The folder of the second target is BACKUP_DIR itself. Choose another one, better on another disk.';
export const SILENT = 'The second target does not answer.';
const UNWRITABLE = 'The folder of the second target cannot be written to.';

const FOLDER_SENTENCES: Readonly<Record<string, string>> = {
  ENOENT: 'The folder of the second target is not there. Is its disk mounted?',
  ENOTDIR: 'The folder of the second target is not there. Is its disk mounted?',
  ENOSPC: FULL,
  EDQUOT: FULL,
  EFBIG: FULL,
  EACCES: UNWRITABLE,
  EPERM: UNWRITABLE,
  EROFS: UNWRITABLE,
};

const UNREACHABLE: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EPIPE',
  'HPE_INVALID_CONSTANT',
]);

export function folderFailure(error: unknown): CopyFailed {
  const code = codeOf(error);
  return new CopyFailed(
    FOLDER_SENTENCES[code] ?? `The disk of the second target reports an error${inBrackets(code)}.`,
    code,
  );
}

/** For a request without a response. */
export function connectionFailure(error: unknown): CopyFailed {
  const code = codeOf(error);
  if (UNREACHABLE.has(code)) return new CopyFailed(`The store cannot be reached${inBrackets(code)}.`, code);
  if (/CERT|TLS|SSL|SIGNATURE|ISSUER/.test(code)) {
    const sentence = `The certificate of the store is not trusted${inBrackets(code)}. NODE_EXTRA_CA_CERTS names further authorities.`;
    return new CopyFailed(sentence, code);
  }
  return new CopyFailed(`The connection to the store failed${inBrackets(code)}.`, code);
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');
const inBrackets = (code: string) => (code === '' ? '' : ` (${code})`);
