/** A stream of bytes in chunks of a fixed length, whatever the pieces it arrives in. */
import type { Bytes } from './bytes.ts';

export type ByteSource = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

interface Chunk {
  /** The caller's to use until it asks for the next. */
  readonly bytes: Bytes;
  /** Nothing follows; the only chunk that may be shorter, or empty when the source is. */
  readonly final: boolean;
}

/**
 * Each byte is copied once, however small the pieces.
 * @param length of every chunk but the last. @param first length of the first chunk
 */
export async function* rechunk(source: ByteSource, length: number, first = length): AsyncGenerator<Chunk> {
  let chunk = new Uint8Array(first);
  let filled = 0;
  for await (const piece of source) {
    let at = 0;
    while (at < piece.length) {
      // A full chunk goes out only when more follows: the last one is marked.
      if (filled === chunk.length) {
        yield { bytes: chunk, final: false };
        if (chunk.length !== length) chunk = new Uint8Array(length);
        filled = 0;
      }
      const part = piece.subarray(at, at + chunk.length - filled);
      chunk.set(part, filled);
      filled += part.length;
      at += part.length;
    }
  }
  yield { bytes: chunk.subarray(0, filled), final: true };
}
