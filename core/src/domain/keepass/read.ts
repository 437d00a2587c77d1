import { decodeXml } from './decode.ts';
import { KeepassError } from './errors.ts';
import { KEEPASS_LIMITS as LIMITS } from './limits.ts';
import { createXmlReader } from './read-xml.ts';
import type { KeepassTree } from './tree.ts';
import { treeOf } from './tree-of.ts';

const PIECE = 256 * 1024;
/** Yields to the event loop after this many pieces, so that an abort can arrive. */
const PIECES_A_TURN = 8;

export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** Bytes read so far. */
  readonly onProgress?: ((done: number) => void) | undefined;
}

/** Reads a KeePass XML 2.x file. @throws KeepassError, or the signal's reason if aborted */
export async function readKeepassXml(
  source: Uint8Array | AsyncIterable<Uint8Array>,
  { signal, onProgress }: ReadOptions = {},
): Promise<KeepassTree> {
  const reader = createXmlReader();
  let done = 0;
  async function* watched() {
    for await (const bytes of source instanceof Uint8Array ? pieces(source) : source) {
      signal?.throwIfAborted();
      done += bytes.length;
      if (done > LIMITS.bytes) throw KeepassError.unreadable('it is too large');
      yield bytes;
      onProgress?.(done);
    }
  }
  for await (const text of decodeXml(watched())) reader.write(text);
  signal?.throwIfAborted();
  return treeOf(reader.end(), signal);
}

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0, turn = 1; at < bytes.length; at += PIECE, turn += 1) {
    yield bytes.subarray(at, at + PIECE);
    if (turn % PIECES_A_TURN === 0) await new Promise((resolve) => setTimeout(resolve, 0));
  }
}
