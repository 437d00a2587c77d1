/** Finds a long list in unparsed JSON. Every byte belongs to one piece, so malformed JSON is detected. */
import { AppError } from '@passwordbroker/core/contract/problem';
import { endOfText } from './json-shape.ts';
import { takeTurns } from '../../platform/semaphore.ts';

export interface JsonList {
  readonly length: number;
  readonly bytes: number;
  /** The text without this list's elements. */
  around(): Uint8Array;
  /** Elements from `start` that fit into `bytes`; at least 1. */
  countWithin(start: number, bytes: number): number;
  bytesOf(start: number, count: number): number;
  /** Elements as a JSON list. */
  portion(start: number, most: number): Uint8Array;
}

/** The root or its member. */
interface LongestList extends JsonList {
  /** Null: the root. */
  readonly name: string | null;
}

const [QUOTE, COMMA, COLON] = [0x22, 0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const BLANKS = new Set([0x20, 0x09, 0x0a, 0x0d]);
const EMPTY = Buffer.from('[]');

/** @param path member names from the root. Null if absent. @throws AppError `bad_request` for two */
export function findList(json: Uint8Array, path: readonly string[]): JsonList | null {
  const text = Buffer.from(json.buffer, json.byteOffset, json.length);
  let found: JsonList | null = null;
  let depth = 0;
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

const MOST_ELEMENTS = 60_000;
const STEP = 256 * 1024;

/** Yields every 256 KiB; null without a list. @throws AppError `bad_request` above 60,000 elements */
export function* longestList(text: Buffer): Generator<void, LongestList | null> {
  const depthOfLists = text[afterBlanks(text, 0)] === OPEN_LIST ? 0 : 1;
  let longest: LongestList | null = null;
  let list: { readonly open: number; readonly name: Span; readonly commas: number[] } | null = null;
  let name: Span = { start: 0, end: 0 };
  let depth = 0;
  for (let at = 0; at < text.length;) {
    for (const end = at + STEP; at < text.length && at < end; at += 1) {
      const byte = text[at];
      if (byte === QUOTE) {
        const start = at;
        at = endOfText(text, at);
        if (depth === 1) name = { start, end: at };
      } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
        if (byte === OPEN_LIST && depth === depthOfLists) list = { open: at, name, commas: [] };
        depth += 1;
      } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
        depth -= 1;
        if (list === null || depth !== depthOfLists) continue;
        const bytes = at - list.open;
        if (longest === null || bytes > longest.bytes) {
          longest = {
            ...listAt(text, list.open, at, list.commas),
            name: depthOfLists === 0 ? null : nameIn(text, list.name),
          };
        }
        list = null;
      } else if (byte === COMMA && list !== null && depth === depthOfLists + 1) {
        list.commas.push(at);
        if (list.commas.length >= MOST_ELEMENTS) throw new AppError('bad_request');
      }
    }
    yield;
  }
  return longest;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function nameIn(text: Buffer, { start, end }: Span): string {
  try {
    return String(JSON.parse(text.toString('utf8', start, end + 1)));
  } catch {
    throw new AppError('bad_request');
  }
}

/** Position of the value, if this is its name. */
function valueOf(text: Buffer, { start, end }: Span, name: string) {
  if (text.toString('latin1', start + 1, end) !== name) return null;
  const colon = afterBlanks(text, end + 1);
  return text[colon] === COLON ? afterBlanks(text, colon + 1) : null;
}

function afterBlanks(text: Buffer, from: number): number {
  let at = from;
  while (BLANKS.has(text[at] ?? 0)) at += 1;
  return at;
}

/** Collects comma positions; returns the closing bracket's. */
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
  const endOf = (element: number) => (element >= length - 1 ? close : (commas[element] ?? close));
  const bytesOf = (start: number, count: number) => endOf(start + count - 1) - (start === 0 ? open : endOf(start - 1));
  return {
    length,
    bytes: close - open,
    countWithin(start, bytes) {
      let count = 1;
      while (start + count < length && bytesOf(start, count + 1) <= bytes) count += 1;
      return count;
    },
    bytesOf,
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

const KIB = 1024;
const PORTION_BYTES = 256 * KIB;
/** For the text around the list, and for one element. */
const PIECE_BYTES = 8 * KIB * KIB;

/**
 * Parses JSON in portions, yielding in between. @throws AppError `bad_request`, also for pieces above 8 MiB
 */
export async function parseLargeJson(raw: Buffer, parse: (piece: Uint8Array) => unknown): Promise<unknown> {
  const turn = takeTurns();
  const search = longestList(raw);
  let found = search.next();
  for (; found.done !== true; found = search.next()) await turn();
  const list = found.value;
  const isShort = list === null || list.bytes < PORTION_BYTES;
  refuseLong(isShort ? raw.length : raw.length - list.bytes);
  if (isShort) return parse(raw);
  const around = parse(list.around());
  await turn();
  const elements: unknown[] = [];
  for (let start = 0; start < list.length;) {
    const count = list.countWithin(start, PORTION_BYTES);
    refuseLong(list.bytesOf(start, count));
    const portion = parse(list.portion(start, count));
    // An extra comma ends the portion.
    if (!Array.isArray(portion) || portion.length !== count) throw new AppError('bad_request');
    for (const element of portion) elements.push(element);
    start += count;
    await turn();
  }
  return put(around, list, elements);
}

function refuseLong(bytes: number): void {
  if (bytes > PIECE_BYTES) throw new AppError('bad_request');
}

function put(around: unknown, { name }: LongestList, elements: unknown[]): unknown {
  if (name === null) return elements;
  const root = around as Record<string, unknown>;
  const place = Object.hasOwn(root, name) ? root[name] : undefined;
  // A repeated name: its last member is not this list.
  if (!Array.isArray(place) || place.length > 0) throw new AppError('bad_request');
  root[name] = elements;
  return root;
}
