/** Files for a fuzzer: each a real one with some damage, made again by its number. */
import { type Bytes, concat, utf8 } from '../../crypto/bytes.ts';
import { zipOf } from './zip-files.ts';

export interface Seed {
  /** Of the format that reads it. */
  readonly id: string;
  readonly content: Bytes;
  /** The archive around a damaged content: name of the file in it, and the others. */
  readonly around?: { readonly name: string; readonly others: Readonly<Record<string, string>> };
  /** Derives a key for seconds; drawn rarely. */
  readonly isSlow?: boolean;
}

/** Numbers below 1 in an order that the seed decides (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Texts that break assumptions. */
const TEXTS = [
  '',
  '\0',
  '"',
  ',',
  '{}',
  '[]',
  'null',
  '-1',
  '1e999',
  '99999999999999999999',
  '"__proto__"',
  '\uFEFF',
  '\r\n',
  '\\u0000',
  '<!DOCTYPE x>',
  '&#0;',
  "'=1+1",
  'otpauth://totp/x?secret=A',
  '\u{1F510}'.repeat(50),
  'a'.repeat(3000),
  '['.repeat(100),
];

/** One to four changes of the content, or of the whole archive. */
export function mutated(seed: Seed, all: readonly Seed[], random: () => number): Bytes {
  const { content, around } = seed;
  if (around === undefined) return changed(content, all, random);
  const others = Object.entries(around.others).map(([name, text]) => ({ name, content: text, isStored: true }));
  if (random() < 0.7) return zipOf([{ name: around.name, content: changed(content, all, random) }, ...others]);
  return changed(zipOf([{ name: around.name, content }, ...others]), all, random);
}

function changed(content: Bytes, all: readonly Seed[], random: () => number): Bytes {
  const below = (count: number) => Math.floor(random() * count);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)]!;
  let bytes = content;
  for (let change = below(4); change >= 0; change -= 1) {
    const at = below(bytes.length + 1);
    const end = Math.min(bytes.length, at + below(random() < 0.7 ? 16 : bytes.length + 1));
    const [head, middle, tail] = [bytes.subarray(0, at), bytes.subarray(at, end), bytes.subarray(end)];
    const other = pick(all).content;
    const from = below(other.length);
    bytes = pick([
      () => concat(head, Uint8Array.of((bytes[at] ?? 0) ^ (1 << below(8))), bytes.subarray(at + 1)),
      () => concat(head, Uint8Array.of(below(256)), bytes.subarray(at + 1)),
      () => concat(head, tail),
      () => concat(head, middle, middle, tail),
      () => concat(head, utf8(pick(TEXTS)), tail),
      () => concat(head, utf8(pick(TEXTS)), middle, tail),
      () => concat(head, other.subarray(from, from + below(200)), tail),
      () => concat(head, middle),
      () => withOtherToken(bytes, pick(TEXTS), random),
    ])();
  }
  return bytes;
}

/** A text, number or word of a JSON, XML or CSV file as something else. */
function withOtherToken(bytes: Bytes, text: string, random: () => number): Bytes {
  const whole = new TextDecoder('latin1').decode(bytes);
  const tokens = /"(?:[^"\\]|\\.){0,200}"|>[^<]{1,200}<|-?\d+(?:\.\d+)?|true|false|null|[^,\r\n"]{1,50}(?=,)/g;
  tokens.lastIndex = Math.floor(random() * whole.length);
  const found = tokens.exec(whole);
  if (found === null) return bytes;
  return concat(bytes.subarray(0, found.index), utf8(text), bytes.subarray(found.index + found[0].length));
}
