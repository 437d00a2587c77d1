/** The kinds of files that can be imported, recognised by content (never by name). */
import type { Bytes } from '../../crypto/bytes.ts';
import { ExchangeError } from './exchange-error.ts';
import type { FileArgon2 } from './file-argon2.ts';
import { isKdbx } from './kdbx/header.ts';
import { isBitwarden, isBitwardenZip, isProtectedBitwarden } from './json/detect.ts';
import { chunksOf, textOfHead } from './text.ts';
import type { ExchangeTree } from './tree.ts';

/** What a person has given to open a file. */
export interface Given {
  readonly password?: string;
  readonly keyFile?: Bytes;
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
}

/** What a person is asked for before the file is read. */
export type Needs = 'nothing' | 'password';

export interface Format {
  readonly id: string;
  /** 'KeePass XML 2.x' */
  readonly label: string;
  /** True if the file is of this kind. @throws ExchangeError with what to do, for a kind that is known but cannot be read */
  readonly fits: (look: Look) => boolean | Promise<boolean>;
  /** Missing: 'nothing'. */
  readonly needs?: (look: Look) => Needs;
  /** Its code is loaded when such a file is read. */
  readonly load: () => Promise<Read>;
}

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
    id: 'keepass-xml',
    label: 'KeePass XML 2.x',
    fits: ({ text }) =>
      text !== null && /^\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--[\s\S]*?-->\s*)*<KeePassFile[\s>]/.test(text),
    load: async () => {
      const { readKeepassXml } = await import('../keepass/read.ts');
      return (file, _given, { signal, onProgress }) =>
        readKeepassXml(chunksOf(file), { signal, onProgress: (done) => onProgress?.(done, file.size) });
    },
  },
];

const HEAD = 64 * 1024;

export interface DetectedFormat {
  readonly format: Format;
  readonly needs: Needs;
}

/** @throws ExchangeError `empty`, `unknown_kind`, or what a format says */
export async function detectFormat(file: Blob): Promise<DetectedFormat> {
  if (file.size === 0) throw new ExchangeError('empty', 'The file could not be read: it is empty.');
  const look = await lookAt(file);
  for (const format of FORMATS)
    if (await format.fits(look)) return { format, needs: format.needs?.(look) ?? 'nothing' };
  throw new ExchangeError('unknown_kind', 'This file is of no kind that can be imported.');
}

async function lookAt(file: Blob): Promise<Look> {
  const head = new Uint8Array(await file.slice(0, HEAD).arrayBuffer());
  return { file, head, text: textOfHead(head), names: isZip(head) ? await namesIn(file) : null };
}

const isZip = (head: Bytes) => head[0] === 0x50 && head[1] === 0x4b && head[2] === 3 && head[3] === 4;

async function namesIn(file: Blob): Promise<readonly string[]> {
  const { openZip } = await import('./zip.ts');
  return (await openZip(file)).names;
}
