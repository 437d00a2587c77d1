/** Bytes of a file as text: UTF-8 with or without mark, UTF-16 of either order; a document type is refused before anything is parsed. */
import { KeepassError } from './errors.ts';

/** What must never be in a file: a document type or an entity could make a parser fetch, expand or loop. */
const FORBIDDEN = /<!(?:DOCTYPE|ENTITY)/i;
const LONGEST_FORBIDDEN = '<!DOCTYPE'.length - 1;

function encodingOf(start: Uint8Array): string {
  const [a, b] = start;
  if ((a === 0xff && b === 0xfe) || (a === 0x3c && b === 0)) return 'utf-16le';
  if ((a === 0xfe && b === 0xff) || (a === 0 && b === 0x3c)) return 'utf-16be';
  return 'utf-8';
}

/** Text piece by piece. @throws KeepassError for a forbidden declaration, or bytes that are no text */
export async function* decodeXml(source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: TextDecoder | null = null;
  let tail = '';
  const checked = (text: string) => {
    if (FORBIDDEN.test(tail + text)) throw KeepassError.unreadable('it contains a document type or an entity');
    tail = (tail + text).slice(-LONGEST_FORBIDDEN);
    return text;
  };
  for await (const bytes of source) {
    if (bytes.length === 0) continue;
    decoder ??= new TextDecoder(encodingOf(bytes), { fatal: true });
    yield checked(decode(decoder, bytes, true));
  }
  if (decoder === null) throw KeepassError.notKeepass();
  yield checked(decode(decoder, new Uint8Array(0), false));
}

function decode(decoder: TextDecoder, bytes: Uint8Array, stream: boolean): string {
  try {
    return decoder.decode(bytes, { stream });
  } catch {
    throw KeepassError.unreadable('its text is damaged');
  }
}
