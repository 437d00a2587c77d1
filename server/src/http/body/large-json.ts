import { AppError } from '@passwordbroker/core/contract/problem';
import { takeTurns } from '../../platform/turns.ts';
import { longestList } from './json-list.ts';
import type { LongestList } from './json-list.ts';

const KIB = 1024;
const PORTION_BYTES = 256 * KIB;
/** For the text around the list, and for one element. */
const PIECE_BYTES = 8 * KIB * KIB;

/**
 * Parses JSON in portions of its longest list and yields in between. @throws AppError `bad_request` also for
 * a piece above 8 MiB
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
    // An extra comma at the end of a portion.
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
  // Of a repeated name the last member counts, which may not be this list.
  if (!Array.isArray(place) || place.length > 0) throw new AppError('bad_request');
  root[name] = elements;
  return root;
}
