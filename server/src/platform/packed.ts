import { mkdir, open, unlink } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import { randomText } from './ids-and-digests.ts';

export interface Packed {
  /** Bytes as sent. */
  readonly size: number;
  /** Bytes of the text. */
  readonly textSize: number;
  /** May be called once. */
  open(): Readable;
  /** Instead of `open`. */
  discard(): Promise<void>;
}

export type Encoding = 'br' | 'gzip';

interface Options {
  readonly folder: string;
  readonly encoding: Encoding | null;
  /** Larger results go to a file (bytes). */
  readonly inMemory?: number;
}

const MIB = 1024 * 1024;

/** Fastest brotli compresses each write on its own, so writes must not be small. */
const BLOCK = 128 * 1024;
const CHUNK = { chunkSize: BLOCK };

/** Fastest brotli beats fastest gzip in time and size; ciphertext hardly compresses at any level. */
function packerFor(encoding: Encoding | null): Transform {
  if (encoding === null) return copier();
  if (encoding === 'gzip') return createGzip({ level: constants.Z_BEST_SPEED, ...CHUNK });
  return createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 1 }, ...CHUNK });
}

/** Copies, because `inBlocks` reuses its buffer. */
const copier = () =>
  new Transform({
    transform(bytes: Buffer, _, done) {
      done(null, Buffer.from(bytes));
    },
  });

/** The cheapest encoding that `Accept-Encoding` allows, or null. */
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
  const packer = packerFor(encoding);
  const keeping = pipeline(packer, async (packed: AsyncIterable<Buffer>) => {
    for await (const bytes of packed) await kept.add(bytes);
  });
  try {
    for await (const block of inBlocks(text)) {
      textSize += block.length;
      // Resolves when the block may be reused.
      await Promise.race([written(packer, block), keeping]);
    }
    packer.end();
    await keeping;
  } catch (error) {
    packer.destroy();
    await keeping.catch(() => undefined);
    await kept.discard();
    throw error;
  }
  return { size: kept.size(), textSize, open: kept.open, discard: () => kept.discard() };
}

/** Reuses one buffer after each yield: long strings would fill the old generation of the heap. */
async function* inBlocks(text: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  const block = new Uint8Array(BLOCK);
  let used = 0;
  for await (const piece of text) {
    let rest = piece;
    while (rest !== '') {
      const { read, written: added } = encoder.encodeInto(rest, block.subarray(used));
      used += added;
      rest = rest.slice(read);
      // A character needs up to four bytes.
      if (rest === '' && used < BLOCK) continue;
      yield block.subarray(0, used);
      used = 0;
    }
  }
  yield block.subarray(0, used);
}

const written = (packer: Transform, bytes: Uint8Array) =>
  new Promise<void>((resolve, reject) => packer.write(bytes, (error) => (error ? reject(error) : resolve())));

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
