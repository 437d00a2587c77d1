/** Before parsing: millions of empty lists would fill the heap and block the event loop. */
import { AppError } from '@passwordbroker/core/contract/problem';

/** The densest import has 25. */
const BYTES_PER_ELEMENT = 16;
const FREE_ELEMENTS = 1000;

interface Bounds {
  readonly depth: number;
  readonly elements: number;
  /** Bytes outside of strings. */
  readonly bare: number;
  readonly escapes: number;
}

/** Parsed in a thread; has five levels. */
export const IMPORT_BOUNDS: Bounds = { depth: 16, elements: Infinity, bare: Infinity, escapes: Infinity };
/** Parsed on the event loop. */
export const BODY_BOUNDS: Bounds = { depth: 64, elements: 20_000, bare: 512 * 1024, escapes: 250_000 };

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/** @throws AppError `bad_request` beyond the bounds */
export function refuseDenseJson(json: Uint8Array, bounds: Bounds): void {
  const text = Buffer.from(json.buffer, json.byteOffset, json.length);
  const most = Math.min(bounds.elements, FREE_ELEMENTS + text.length / BYTES_PER_ELEMENT);
  refuseManyEscapes(text, bounds.escapes);
  let elements = 0;
  let depth = 0;
  let bare = 0;
  for (let at = 0; at < text.length; at += 1) {
    const byte = text[at] ?? 0;
    bare += 1;
    if (byte === QUOTE) at = endOfText(text, at);
    else if (byte === COMMA) elements += 1;
    else if (OPENING.has(byte)) {
      elements += 1;
      depth += 1;
    } else if (CLOSING.has(byte)) depth -= 1;
    if (elements > most || depth > bounds.depth || bare > bounds.bare) throw new AppError('bad_request');
  }
}

function refuseManyEscapes(text: Buffer, most: number): void {
  if (text.length <= most) return;
  let escapes = 0;
  for (let at = text.indexOf(BACKSLASH); at >= 0; at = text.indexOf(BACKSLASH, at + 1)) {
    escapes += 1;
    if (escapes > most) throw new AppError('bad_request');
  }
}

const ESCAPED_QUOTES = 100_000;

/**
 * Position of the closing quote, or the length of `json`. @throws AppError `bad_request` beyond 100,000 `\"`
 */
export function endOfText(json: Buffer, quote: number): number {
  let escaped = 0;
  for (let end = json.indexOf(QUOTE, quote + 1); end !== -1; end = json.indexOf(QUOTE, end + 1)) {
    let before = end - 1;
    while (json[before] === BACKSLASH) before -= 1;
    const isEscaped = (end - before) % 2 === 0;
    if (!isEscaped) return end;
    escaped += 1;
    if (escaped > ESCAPED_QUOTES) throw new AppError('bad_request');
  }
  return json.length;
}
