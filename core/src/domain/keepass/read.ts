import { KeepassError, KEEPASS_LIMITS as LIMITS } from './limits-and-errors.ts';
import type { ExchangeTree } from '../exchange/tree.ts';
import { treeOf } from './tree-of.ts';
import { SaxesParser } from 'saxes';
import { type RawFile, newFile } from './raw.ts';
import { type ElementReader, type TextElement, PACKED_MOST, documentElement } from './xml-elements.ts';
import { type Bytes, concat, decodeBase64 } from '../../crypto/bytes.ts';

const PIECE = 256 * 1024;
/** Yields to the event loop after this many pieces, so that an abort can arrive. */
const PIECES_A_TURN = 8;

interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** Bytes read so far. */
  readonly onProgress?: ((done: number) => void) | undefined;
  readonly around?: Container | undefined;
}

/** The encrypted file in which the XML was. */
export interface Container {
  /** Opens values that are `Protected`, in the order of the document. */
  readonly inner: (sealed: Bytes) => Bytes;
  /** Attachments by number. */
  readonly pool: readonly Bytes[];
  readonly limits: { readonly bytes: number; readonly entries: number };
  /** Base64 that the XML names, if it names one; null for containers that are authenticated themselves. */
  readonly headerHash: string | null;
}

/** Reads KeePass XML 2.x, a file or the content of one. @throws KeepassError, or the signal's reason if aborted */
export async function readKeepassXml(
  source: Uint8Array | AsyncIterable<Uint8Array>,
  { signal, onProgress, around }: ReadOptions = {},
): Promise<ExchangeTree> {
  const reader = createXmlReader(around);
  const { bytes: most } = around?.limits ?? LIMITS;
  let done = 0;
  async function* watched() {
    for await (const bytes of source instanceof Uint8Array ? pieces(source) : source) {
      signal?.throwIfAborted();
      done += bytes.length;
      if (done > most) throw KeepassError.unreadable('it is too large');
      yield bytes;
      onProgress?.(done);
    }
  }
  for await (const text of decodeXml(watched())) reader.write(text);
  signal?.throwIfAborted();
  const file = reader.end();
  const isOfHeader =
    around === undefined || around.headerHash === null || ['', around.headerHash].includes(file.headerHash);
  if (!isOfHeader) throw KeepassError.unreadable('it is damaged');
  return treeOf(file, signal);
}

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0, turn = 1; at < bytes.length; at += PIECE, turn += 1) {
    yield bytes.subarray(at, at + PIECE);
    if (turn % PIECES_A_TURN === 0) await new Promise((resolve) => setTimeout(resolve, 0));
  }
}

interface XmlReader {
  write(text: string): void;
  /** @throws KeepassError if the file is truncated or not KeePass */
  end(): RawFile;
}

interface Open {
  readonly reader: ElementReader;
  text: string;
}

/** Parses the file as a stream. Fetches nothing; all sizes are limited. */
export function createXmlReader(around: Container | undefined): XmlReader {
  const file = newFile();
  for (const [number, content] of (around?.pool ?? []).entries())
    file.pool.set(String(number), { content, isCompressed: false });
  const document = documentElement(file, around?.limits ?? LIMITS);
  const stack: Open[] = [{ reader: document.element, text: '' }];
  const seen = { elements: 0, attributes: 0 };
  /** Open elements from the first ignored one on. */
  let skipping = 0;
  /** Base64 of the open protected value. Ignored ones take part: the stream has no positions. */
  let sealed: string | null = null;
  const parser = new SaxesParser({ xmlns: false, position: true });
  // At most six listeners: with a seventh V8 stores the parser as a dictionary, three times slower.

  // The decoder rejects it first; this is a second line of defence.
  parser.on('doctype', () => {
    throw KeepassError.unreadable('it contains a document type or an entity');
  });
  parser.on('attribute', () => {
    if ((seen.attributes += 1) > LIMITS.attributes) throw KeepassError.unreadable('an element has too many attributes');
  });
  parser.on('opentag', ({ name, attributes }) => {
    seen.attributes = 0;
    if ((seen.elements += 1) > LIMITS.elements) throw KeepassError.unreadable('it has too many elements');
    if (stack.length + skipping > LIMITS.depth) throw KeepassError.unreadable('it is nested too deeply');
    const above = stack.at(-1)?.reader;
    const reader =
      skipping > 0 || above === undefined || 'take' in above
        ? null
        : above.child(name, attributes as Record<string, string>);
    if (reader === null) skipping += 1;
    else stack.push({ reader, text: '' });
    if (sealed !== null) throw KeepassError.unreadable(DAMAGED);
    if (around !== undefined && attributes['Protected'] === 'True') sealed = '';
  });
  const addText = (text: string) => {
    if (sealed !== null) {
      sealed += text;
      if (sealed.length > PACKED_MOST) throw KeepassError.unreadable('a text is too long');
      return;
    }
    const open = stack.at(-1);
    if (skipping > 0 || open === undefined || !('take' in open.reader)) return;
    open.text += text;
    if (open.text.length > open.reader.most) throw KeepassError.unreadable('a text is too long');
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    const value = sealed === null || around === undefined ? null : around.inner(decodeProtected(sealed));
    sealed = null;
    if (skipping > 0) {
      skipping -= 1;
      return;
    }
    const open = stack.pop();
    if (open === undefined || !('take' in open.reader)) return;
    if (value === null) open.reader.take(open.text);
    else takeOpened(open.reader, value);
  });

  const parsing = (step: () => void) => {
    try {
      step();
    } catch (error) {
      if (error instanceof KeepassError) throw error;
      if (seen.elements === 0) throw KeepassError.notKeepass();
      const isCut = error instanceof Error && /unclosed|unexpected end/i.test(error.message);
      throw KeepassError.unreadable(isCut ? 'it is cut off' : `line ${parser.line} is not well-formed XML`);
    }
  };

  return {
    write: (text) => parsing(() => parser.write(text)),
    end() {
      parsing(() => parser.close());
      if (!document.hasGroup()) throw KeepassError.notKeepass();
      return file;
    },
  };
}

const DAMAGED = 'a protected value is damaged';

function decodeProtected(text: string): Bytes {
  try {
    return decodeBase64(/\s/.test(text) ? text.replaceAll(/\s/g, '') : text);
  } catch {
    throw KeepassError.unreadable(DAMAGED);
  }
}

const protectedText = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function takeOpened(element: TextElement, value: Bytes): void {
  if (element.takeBytes !== undefined) {
    element.takeBytes(value);
    return;
  }
  if (value.length > element.most) throw KeepassError.unreadable('a text is too long');
  element.take(decode(protectedText, value, false));
}

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
