import { type Bytes, concat } from '../../crypto/bytes.ts';
import { ExchangeError } from './exchange-error.ts';

export interface ChunkReader {
  /** The next bytes. @throws ExchangeError if the source ends before */
  take(length: number): Promise<Bytes>;
  /** The next bytes as they come. @throws ExchangeError if the source ends before */
  pass(length: number): AsyncGenerator<Uint8Array>;
  /** All others, as they come. */
  rest(): AsyncGenerator<Uint8Array>;
}

/** Reads a stream in pieces of other sizes. */
export function chunkReader(source: AsyncIterable<Uint8Array>): ChunkReader {
  const chunks = source[Symbol.asyncIterator]();
  let chunk: Uint8Array = new Uint8Array(0);

  /** At most `most` bytes; null at the end. */
  const next = async (most: number): Promise<Uint8Array | null> => {
    while (chunk.length === 0) {
      const { done, value } = await chunks.next();
      if (done === true) return null;
      chunk = value;
    }
    const taken = chunk.subarray(0, most);
    chunk = chunk.subarray(taken.length);
    return taken;
  };
  async function* pass(length: number) {
    for (let left = length; left > 0;) {
      const piece = await next(left);
      if (piece === null) throw ExchangeError.unreadable('it is cut off');
      left -= piece.length;
      yield piece;
    }
  }
  return {
    pass,
    async take(length) {
      const pieces: Uint8Array[] = [];
      for await (const piece of pass(length)) pieces.push(piece);
      return concat(...pieces);
    },
    async *rest() {
      for (let piece = await next(Infinity); piece !== null; piece = await next(Infinity)) yield piece;
    },
  };
}

/**
 * Unpacks gzip. `check` gets the bytes unpacked so far and throws above a limit, so a bomb is never unpacked
 * completely. @throws what `check` throws; another error for damaged data
 */
export async function* gunzip(
  packed: ReadableStream<Uint8Array>,
  check: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  // The types of the platform want a buffer that is not shared; nothing here shares one.
  const unpacking = new DecompressionStream('gzip') as unknown as ReadableWritablePair<Uint8Array, Uint8Array>;
  for await (const piece of streamed(packed.pipeThrough(unpacking))) {
    bytes += piece.length;
    check(bytes);
    yield piece;
  }
}

/** Packs with gzip. */
export function gzip(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const packing = new CompressionStream('gzip') as unknown as ReadableWritablePair<Uint8Array, Uint8Array>;
  return streamed(streamOf(source).pipeThrough(packing));
}

/** Asks for a piece when one is wanted. */
export function streamOf(source: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const pieces = source[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await pieces.return?.();
    },
  });
}

/** The pieces of a stream, which is cancelled when they are no longer wanted. */
export async function* streamed(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
