/**
 * A large text made piece by piece, compressed on the way and kept until it is sent: in memory while it is small, else in a file without a name, which
 * vanishes with its last reader whatever happens to the process.
 */
import { mkdir, open, unlink } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import { randomText } from './secrets.ts';

export interface Packed {
  /** Bytes as they are sent. */
  readonly size: number;
  /** Bytes of the text itself. */
  readonly textSize: number;
  /** Once. */
  open(): Readable;
  /** Instead of `open`. */
  discard(): Promise<void>;
}

/** Names of `Content-Encoding`. */
export type Encoding = 'br' | 'gzip';

interface Options {
  readonly folder: string;
  readonly encoding: Encoding | null;
  /** Above this it goes to a file. */
  readonly inMemory?: number;
}

const MIB = 1024 * 1024;

/** Characters that are packed together. */
const BLOCK = 128 * 1024;
const CHUNK = { chunkSize: BLOCK };

/** Ciphertext hardly yields, the names around it do at any level. The fastest brotli is twice as fast as the fastest gzip, and smaller. */
function packerFor(encoding: Encoding | null): Transform {
  if (encoding === null) return new PassThrough();
  if (encoding === 'gzip') return createGzip({ level: constants.Z_BEST_SPEED, ...CHUNK });
  return createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 1 }, ...CHUNK });
}

/** The one that the caller takes and that costs least; null when there is none. `accepted` is his `Accept-Encoding`. */
export function encodingFor(accepted: string | null): Encoding | null {
  const taken = (accepted ?? '')
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .filter((part) => !/;\s*q=0(\.0*)?$/.test(part))
    .map((part) => part.split(';')[0]);
  return (['br', 'gzip'] as const).find((encoding) => taken.includes(encoding)) ?? null;
}

export async function pack(
  text: AsyncIterable<string>,
  { folder, encoding, inMemory = MIB }: Options,
): Promise<Packed> {
  let textSize = 0;
  const kept = keeper(folder, inMemory);
  // The fastest brotli makes a block of whatever it is given at once.
  const counted = async function* () {
    let pending = '';
    const taken = () => {
      const bytes = Buffer.from(pending);
      textSize += bytes.length;
      pending = '';
      return bytes;
    };
    for await (const piece of text) {
      pending += piece;
      if (pending.length >= BLOCK) yield taken();
    }
    yield taken();
  };
  try {
    await pipeline(
      Readable.from(counted(), { objectMode: false }),
      packerFor(encoding),
      async (packed: AsyncIterable<Buffer>) => {
        for await (const bytes of packed) await kept.add(bytes);
      },
    );
  } catch (error) {
    await kept.discard();
    throw error;
  }
  return { size: kept.size(), textSize, open: kept.open, discard: () => kept.discard() };
}

function keeper(folder: string, inMemory: number) {
  let chunks: Buffer[] = [];
  let size = 0;
  let file: FileHandle | null = null;
  return {
    size: () => size,
    async add(bytes: Buffer) {
      size += bytes.length;
      chunks.push(bytes);
      if (file === null && size <= inMemory) return;
      file ??= await openNameless(folder);
      const all = Buffer.concat(chunks);
      chunks = [];
      await file.writeFile(all);
    },
    open: (): Readable =>
      file === null ? Readable.from(chunks, { objectMode: false }) : file.createReadStream({ start: 0 }),
    async discard() {
      chunks = [];
      await file?.close();
    },
  };
}

async function openNameless(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `.${randomText(12)}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}
