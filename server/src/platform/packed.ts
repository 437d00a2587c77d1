/**
 * A large text made piece by piece, compressed on the way and kept until it is sent: in memory while it is small, else in a file without a name, which
 * vanishes with its last reader whatever happens to the process.
 */
import { mkdir, open, unlink } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { PassThrough } from 'node:stream';
import { constants, createGzip } from 'node:zlib';
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

interface Options {
  readonly folder: string;
  readonly gzip: boolean;
  /** Above this it goes to a file. */
  readonly inMemory?: number;
}

const MIB = 1024 * 1024;

/** Ciphertext hardly yields: the names around it do at any level. */
const LEVEL = constants.Z_BEST_SPEED;

export async function pack(text: AsyncIterable<string>, { folder, gzip, inMemory = MIB }: Options): Promise<Packed> {
  let textSize = 0;
  const kept = keeper(folder, inMemory);
  const counted = async function* () {
    for await (const piece of text) {
      const bytes = Buffer.from(piece);
      textSize += bytes.length;
      yield bytes;
    }
  };
  try {
    await pipeline(
      Readable.from(counted(), { objectMode: false }),
      gzip ? createGzip({ level: LEVEL, chunkSize: 256 * 1024 }) : new PassThrough(),
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
