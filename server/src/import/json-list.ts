/**
 * One long list inside JSON text, found without parsing it: the text around it is parsed by itself, the list portion by portion. Whether it is JSON is
 * for whoever parses the pieces; each comma, bracket and text belongs to exactly one of them.
 */
import { AppError } from '@passwordbroker/core/contract/problem';
import { endOfText } from '../http/json-shape.ts';

export interface JsonList {
  /** How many elements it has. */
  readonly length: number;
  /** The text with an empty list in its place. */
  around(): Uint8Array;
  /** Elements from this position on, at most so many, as the text of a list; in memory of its own. */
  portion(start: number, most: number): Uint8Array;
}

const [QUOTE, COMMA, COLON] = [0x22, 0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const BLANKS = new Set([0x20, 0x09, 0x0a, 0x0d]);
const EMPTY = Buffer.from('[]');

/** @param path names of members, from the outermost object. Null where there is no such list. @throws AppError `bad_request` where there are two */
export function findList(json: Uint8Array, path: readonly string[]): JsonList | null {
  const text = Buffer.from(json.buffer, json.byteOffset, json.length);
  let found: JsonList | null = null;
  let depth = 0;
  /** How many names of the path lead to the object that is walked at this depth. */
  let matched = 0;
  for (let at = 0; at < text.length; at += 1) {
    const byte = text[at];
    if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth += 1;
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      depth -= 1;
      matched = Math.min(matched, Math.max(0, depth - 1));
    }
    if (byte !== QUOTE) continue;
    const end = endOfText(text, at);
    const value = depth === matched + 1 ? valueOf(text, { start: at, end }, path[matched] ?? '') : null;
    at = end;
    if (value === null) continue;
    if (matched < path.length - 1) {
      if (text[value] === OPEN_OBJECT) matched += 1;
    } else if (text[value] === OPEN_LIST) {
      if (found !== null) throw new AppError('bad_request');
      const commas: number[] = [];
      const close = walkList(text, value, commas);
      found = listAt(text, value, close, commas);
      at = close;
    }
  }
  return found;
}

/** Where the value begins of a member of that name; null for another text. */
function valueOf(text: Buffer, { start, end }: { readonly start: number; readonly end: number }, name: string) {
  if (text.toString('latin1', start + 1, end) !== name) return null;
  const colon = afterBlanks(text, end + 1);
  return text[colon] === COLON ? afterBlanks(text, colon + 1) : null;
}

function afterBlanks(text: Buffer, from: number): number {
  let at = from;
  while (BLANKS.has(text[at] ?? 0)) at += 1;
  return at;
}

/** @returns where it closes */
function walkList(text: Buffer, open: number, commas: number[]): number {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    const byte = text[at];
    if (byte === QUOTE) at = endOfText(text, at);
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth += 1;
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
    else if (byte === COMMA && depth === 1) commas.push(at);
    if (depth === 0) return at;
  }
  throw new AppError('bad_request');
}

function listAt(text: Buffer, open: number, close: number, commas: readonly number[]): JsonList {
  const isEmpty = commas.length === 0 && afterBlanks(text, open + 1) === close;
  const length = isEmpty ? 0 : commas.length + 1;
  return {
    length,
    around: () => Buffer.concat([text.subarray(0, open), EMPTY, text.subarray(close + 1)]),
    portion(start, most) {
      const before = start === 0 ? open : (commas[start - 1] ?? close);
      const after = start + most >= length ? close : (commas[start + most - 1] ?? close);
      const list = new Uint8Array(after - before + 1);
      list.set(text.subarray(before, after + 1));
      [list[0], list[list.length - 1]] = [OPEN_LIST, CLOSE_LIST];
      return list;
    },
  };
}
