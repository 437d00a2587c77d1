/** Text files: UTF-8 or UTF-16 by their mark, else UTF-8, else Windows-1252. */
import type { Bytes } from '../../crypto/bytes.ts';
import { streamed } from './chunk-reader.ts';
import { ExchangeError } from './exchange-error.ts';

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** So much of a file is looked at to recognise it. */
export const HEAD_BYTES = 64 * 1024;

/** By the mark; UTF-16 of XML is recognised without one. */
function markedEncoding([a, b, c]: Uint8Array): Encoding | null {
  if ((a === 0xff && b === 0xfe) || (a === 0x3c && b === 0)) return 'utf-16le';
  if ((a === 0xfe && b === 0xff) || (a === 0 && b === 0x3c)) return 'utf-16be';
  return a === 0xef && b === 0xbb && c === 0xbf ? 'utf-8' : null;
}

/** The beginning of a file as text, without its mark; null if it is none. A character may be cut at the end. */
export function textOfHead(head: Bytes): string | null {
  const marked = markedEncoding(head);
  const text = decodeHead(head, marked ?? 'utf-8');
  if (text !== null) return text.includes('\0') ? null : text;
  const western = marked === null ? decodeHead(head, 'windows-1252') : null;
  return western === null || NO_TEXT.test(western) ? null : western;
}

/** Control characters, also those of bytes that Windows-1252 does not have. */
const NO_TEXT = /[^\P{Cc}\t\n\v\f\r]/u;

function decodeHead(head: Bytes, encoding: Encoding): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(head, { stream: true });
  } catch {
    return null;
  }
}

export interface DecodedText {
  /** @throws ExchangeError for UTF-16 that is damaged; the signal's reason */
  readonly pieces: AsyncIterable<string>;
  /** True for text that is not UTF-8 and was read as Windows-1252. */
  readonly isWestern: boolean;
}

/** Reads the file twice, since the last byte may show that it is not UTF-8. @param onProgress bytes of the second time */
export async function decodeText(
  file: Blob,
  { signal, onProgress }: { signal?: AbortSignal | undefined; onProgress?: ((done: number) => void) | undefined } = {},
): Promise<DecodedText> {
  const marked = markedEncoding(new Uint8Array(await file.slice(0, 3).arrayBuffer()));
  const isWestern = marked === null && !(await isUtf8(file, signal));
  const encoding = marked ?? (isWestern ? 'windows-1252' : 'utf-8');
  return { isWestern, pieces: decoded(file, encoding, signal, onProgress) };
}

async function isUtf8(file: Blob, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    for await (const piece of decoded(file, 'utf-8', signal)) void piece;
    return true;
  } catch (error) {
    if (error instanceof ExchangeError) return false;
    throw error;
  }
}

async function* decoded(
  file: Blob,
  encoding: Encoding,
  signal: AbortSignal | undefined,
  onProgress?: (done: number) => void,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const decode = (bytes?: Uint8Array) => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      throw ExchangeError.unreadable('its text is damaged');
    }
  };
  let done = 0;
  for await (const bytes of chunksOf(file)) {
    signal?.throwIfAborted();
    yield decode(bytes);
    onProgress?.((done += bytes.length));
  }
  yield decode();
}

/** The bytes of a file as a stream. */
export const chunksOf = (file: Blob): AsyncGenerator<Uint8Array> => streamed(file.stream());
