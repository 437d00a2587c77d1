/**
 * A large text made piece by piece, compressed on the way and kept until it is sent: in memory while it is small, else in a file without a name, which
 * vanishes with its last reader whatever happens to the process.
 */
import { mkdir, open, unlink } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
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

/** Bytes that are packed together: the fastest brotli makes a block of whatever it is given at once. */
const BLOCK = 128 * 1024;
const CHUNK = { chunkSize: BLOCK };

/** Ciphertext hardly yields, the names around it do at any level. The fastest brotli is twice as fast as the fastest gzip, and smaller. */
function packerFor(encoding: Encoding | null): Transform {
  if (encoding === null) return copier();
  if (encoding === 'gzip') return createGzip({ level: constants.Z_BEST_SPEED, ...CHUNK });
  return createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 1 }, ...CHUNK });
}

/** Nothing is packed; what goes in is not ours to keep. */
const copier = () =>
  new Transform({
    transform(bytes: Buffer, _, done) {
      done(null, Buffer.from(bytes));
    },
  });

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
  const packer = packerFor(encoding);
  const keeping = pipeline(packer, async (packed: AsyncIterable<Buffer>) => {
    for await (const bytes of packed) await kept.add(bytes);
  });
  try {
    for await (const block of inBlocks(text)) {
      textSize += block.length;
      // Until it has been taken in: then the block may be filled anew. What breaks behind it is heard of here, too.
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

/**
 * As UTF-8, in one block that is filled again and again: whoever gets it is through with it when he asks for the next. Text of this length put together would
 * be promoted in the heap, all of it, before it is found to be garbage.
 */
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
      // Full: what comes next needs four bytes at most.
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
