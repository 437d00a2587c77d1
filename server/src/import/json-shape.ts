/**
 * A look at JSON text before it is parsed: millions of empty lists in a few bytes each would fill any heap. Real batches are mostly base64, so their
 * elements are few for their length.
 */
import { AppError } from '@passwordbroker/core/contract/problem';

/** A batch has five levels. */
const DEPTH = 16;
/** An entry of three short members, the densest thing in a batch, has an element in 25 bytes. */
const BYTES_PER_ELEMENT = 16;
const FREE_ELEMENTS = 1000;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/** @throws AppError `bad_request` for more elements, or a deeper nesting, than any batch of this length has */
export function refuseDenseJson(json: Uint8Array): void {
  const most = FREE_ELEMENTS + json.length / BYTES_PER_ELEMENT;
  let elements = 0;
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at] ?? 0;
    if (isInText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isInText = false;
    } else if (byte === QUOTE) isInText = true;
    else if (byte === COMMA) elements += 1;
    else if (OPENING.has(byte)) {
      elements += 1;
      depth += 1;
    } else if (CLOSING.has(byte)) depth -= 1;
    if (elements > most || depth > DEPTH) throw new AppError('bad_request');
  }
}
