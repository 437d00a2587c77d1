import { concat } from '../../crypto/bytes.ts';
import { KeepassError, KEEPASS_LIMITS as LIMITS } from './errors.ts';

/** A document type could make a parser fetch, expand or loop. */
const FORBIDDEN = /<!(?:DOCTYPE|ENTITY)/i;
const LONGEST_FORBIDDEN = '<!DOCTYPE'.length - 1;

const DECLARATION_BYTES = 128;
const DECLARED = /^<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)["']/;
const ENCODINGS: Readonly<Record<string, string>> = {
  'utf-8': 'utf-8',
  utf8: 'utf-8',
  'us-ascii': 'utf-8',
  ascii: 'utf-8',
  // Readable as single bytes, so wrong: some tools convert afterwards.
  'utf-16': 'utf-8',
  'utf-16le': 'utf-8',
  'utf-16be': 'utf-8',
  'iso-8859-1': 'windows-1252',
  latin1: 'windows-1252',
  'windows-1252': 'windows-1252',
};

function encodingOf(start: Uint8Array): string {
  const [a, b, c] = start;
  if ((a === 0xff && b === 0xfe) || (a === 0x3c && b === 0)) return 'utf-16le';
  if ((a === 0xfe && b === 0xff) || (a === 0 && b === 0x3c)) return 'utf-16be';
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  // A KDBX database, a picture, a spreadsheet.
  if (start.find((byte) => byte > 0x20) !== 0x3c) throw KeepassError.notKeepass();
  const ascii = String.fromCharCode(...start.subarray(0, DECLARATION_BYTES));
  const declared = DECLARED.exec(ascii)?.[1]?.toLowerCase() ?? 'utf-8';
  const encoding = ENCODINGS[declared];
  if (encoding === undefined) throw KeepassError.unreadable('its encoding is not supported');
  return encoding;
}

/**
 * UTF-8, UTF-16 of either byte order, or Latin-1.
 * @throws KeepassError for a document type, an entity or undecodable bytes
 */
export async function* decodeXml(source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: TextDecoder | null = null;
  let start = new Uint8Array(0);
  let tail = '';
  let references = 0;
  const checked = (text: string) => {
    if (FORBIDDEN.test(tail + text)) throw KeepassError.unreadable('it contains a document type or an entity');
    for (let at = text.indexOf('&#'); at !== -1; at = text.indexOf('&#', at + 2)) references += 1;
    if (references > LIMITS.characterReferences) throw KeepassError.unreadable('it has too many character references');
    tail = (tail + text.slice(-LONGEST_FORBIDDEN)).slice(-LONGEST_FORBIDDEN);
    return text;
  };
  for await (const bytes of source) {
    if (decoder !== null) {
      yield checked(decode(decoder, bytes, true));
      continue;
    }
    start = concat(start, bytes);
    if (start.length < DECLARATION_BYTES) continue;
    decoder = new TextDecoder(encodingOf(start), { fatal: true });
    yield checked(decode(decoder, start, true));
  }
  if (decoder !== null) {
    yield checked(decode(decoder, new Uint8Array(0), false));
    return;
  }
  if (start.length === 0) throw KeepassError.empty();
  yield checked(decode(new TextDecoder(encodingOf(start), { fatal: true }), start, false));
}

function decode(decoder: TextDecoder, bytes: Uint8Array, stream: boolean): string {
  try {
    return decoder.decode(bytes, { stream });
  } catch {
    throw KeepassError.unreadable('its text is damaged');
  }
}
