/** ZIP archives. Names are compared and never used as paths; sizes are checked while unpacking (docs/spec/threats.md §3.1.28). */
import { BlobReader, type FileEntry, ZipReader } from '@zip.js/zip.js/lib/zip-core-native.js';
import type { Bytes } from '../../crypto/bytes.ts';
import { EXCHANGE_LIMITS as LIMITS, ExchangeError } from './exchange-error.ts';

export interface ZipArchive {
  /** Of the files in it, without folders. */
  readonly names: readonly string[];
  /** Unpacks a text. @throws ExchangeError if it is missing, damaged or above a limit */
  text(name: string): Promise<Bytes>;
  /** Unpacks an attachment. @throws ExchangeError if it is missing, damaged or above a limit */
  file(name: string): Promise<Bytes>;
}

const DAMAGED = 'it is damaged';

/**
 * Reads the list of files at the end of the archive; nothing is unpacked.
 * @throws ExchangeError for damaged and encrypted archives, links, equal names and too many files; the signal's reason
 */
export async function openZip(archive: Blob, signal?: AbortSignal): Promise<ZipArchive> {
  if (archive.size > LIMITS.archiveBytes) throw ExchangeError.largerThan(LIMITS.archiveBytes);
  const entries = await filesOf(archive, signal);
  const rest = { text: LIMITS.unpackedText, file: LIMITS.files };

  const unpack = async (name: string, kind: keyof typeof rest, most: number): Promise<Bytes> => {
    signal?.throwIfAborted();
    const entry = entries.get(name);
    if (entry === undefined) throw ExchangeError.unreadable('a file is missing in it');
    const { uncompressedSize: size, compressedSize } = entry;
    if (size > most) throw ExchangeError.unpacksToMoreThan(most);
    if (size > rest[kind]) throw ExchangeError.unpacksToMoreThan(kind === 'text' ? LIMITS.unpackedText : LIMITS.files);
    if (size > Math.max(LIMITS.ratioFrom, compressedSize * LIMITS.ratio))
      throw ExchangeError.unreadable('it unpacks to an implausible size');
    rest[kind] -= size;
    return bytesOf(entry, signal);
  };
  return {
    names: [...entries.keys()],
    text: (name) => unpack(name, 'text', LIMITS.unpackedText),
    file: (name) => unpack(name, 'file', LIMITS.file),
  };
}

async function filesOf(archive: Blob, signal: AbortSignal | undefined): Promise<Map<string, FileEntry>> {
  const files = new Map<string, FileEntry>();
  const reader = new ZipReader(new BlobReader(archive), {
    useWebWorkers: false,
    // Only sizes and names that agree everywhere are taken; names may be any text.
    checkOverlappingEntry: true,
    checkCrc32: true,
    filenameValidation: 'tolerant',
  });
  let count = 0;
  await checked(signal, async () => {
    for await (const entry of reader.getEntriesGenerator()) {
      if ((count += 1) > LIMITS.archiveEntries) throw ExchangeError.unreadable('it has too many files');
      if (entry.encrypted)
        throw new ExchangeError(
          'unsupported',
          'The ZIP file is encrypted. Unpack it with another program and import what is in it.',
        );
      if (entry.symlink) throw ExchangeError.unreadable('it contains a link');
      if (entry.directory) continue;
      if (files.has(entry.filename)) throw ExchangeError.unreadable('it has two files of the same name');
      files.set(entry.filename, entry);
    }
  });
  return files;
}

/** Its size has been checked, and is exact: more or less bytes are an error. */
async function bytesOf(entry: FileEntry, signal: AbortSignal | undefined): Promise<Bytes> {
  const bytes = new Uint8Array(entry.uncompressedSize);
  let at = 0;
  const target = new WritableStream<Uint8Array>({
    write(piece) {
      signal?.throwIfAborted();
      if (at + piece.length > bytes.length) throw ExchangeError.unreadable(DAMAGED);
      bytes.set(piece, at);
      at += piece.length;
    },
  });
  await checked(signal, () => entry.getData(target));
  if (at !== bytes.length) throw ExchangeError.unreadable(DAMAGED);
  return bytes;
}

async function checked(signal: AbortSignal | undefined, step: () => Promise<unknown>): Promise<void> {
  try {
    await step();
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof ExchangeError) throw error;
    const isCut = error instanceof Error && /end of central directory|out of bounds/i.test(error.message);
    throw ExchangeError.unreadable(isCut ? 'it is cut off' : DAMAGED);
  }
}
