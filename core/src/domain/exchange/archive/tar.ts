/** The part of POSIX ustar that our archives use: plain files with short names. */
import { type Bytes, utf8 } from '../../../crypto/bytes.ts';
import type { ChunkReader } from '../chunk-reader.ts';
import { ExchangeError } from '../exchange-error.ts';

const BLOCK = 512;

export interface TarPart {
  /** At most 100 ASCII characters. */
  readonly name: string;
  readonly content: Bytes;
}

/** @param mtime Unix ms */
export async function* writeTar(parts: AsyncIterable<TarPart>, mtime: number): AsyncGenerator<Uint8Array> {
  for await (const { name, content } of parts) {
    yield headOf(name, content.length, mtime);
    yield content;
    yield new Uint8Array(paddingOf(content.length));
  }
  yield new Uint8Array(2 * BLOCK);
}

const paddingOf = (size: number) => (BLOCK - (size % BLOCK)) % BLOCK;

function headOf(name: string, size: number, mtime: number): Bytes {
  const head = new Uint8Array(BLOCK);
  const text = (value: string, at: number) => head.set(utf8(value), at);
  const octal = (value: number, at: number, digits: number) => text(value.toString(8).padStart(digits, '0'), at);
  text(name, 0);
  octal(0o600, 100, 7);
  octal(0, 108, 7);
  octal(0, 116, 7);
  octal(size, 124, 11);
  octal(Math.floor(mtime / 1000), 136, 11);
  text('0', 156);
  text('ustar', 257);
  text('00', 263);
  octal(checksumOf(head), 148, 6);
  // Its field ends with NUL and a space.
  text(' ', 155);
  return head;
}

/** Counts its own field as spaces. */
function checksumOf(head: Bytes): number {
  let sum = 8 * 0x20;
  for (const [at, byte] of head.entries()) if (at < 148 || at >= 156) sum += byte;
  return sum;
}

/** Parts as they come. @param most bytes of the next part, by its name. @throws ExchangeError */
export async function* readTar(reader: ChunkReader, most: (name: string) => number): AsyncGenerator<TarPart> {
  for (;;) {
    const head = await reader.take(BLOCK);
    if (head.every((byte) => byte === 0)) break;
    const { name, size } = readHead(head);
    if (size > most(name)) throw ExchangeError.unpacksToMoreThan(most(name));
    const content = await reader.take(size);
    const padding = await reader.take(paddingOf(size));
    if (padding.some((byte) => byte !== 0)) throw damaged();
    yield { name, content };
  }
  for await (const piece of reader.rest()) if (piece.some((byte) => byte !== 0)) throw damaged();
}

const damaged = () => ExchangeError.unreadable('it is damaged');

function readHead(head: Bytes): { readonly name: string; readonly size: number } {
  const text = (at: number, length: number) => {
    const field = String.fromCharCode(...head.subarray(at, at + length));
    const end = field.indexOf('\0');
    return end === -1 ? field : field.slice(0, end);
  };
  const octal = (at: number, length: number) => {
    const digits = text(at, length).trim();
    if (!/^[0-7]{1,12}$/.test(digits)) throw damaged();
    return Number.parseInt(digits, 8);
  };
  if (text(257, 6) !== 'ustar' || octal(148, 8) !== checksumOf(head)) throw damaged();
  // No links, folders, devices or long names.
  if (head[156] !== 0x30 || text(157, 100) !== '' || text(345, 155) !== '') throw damaged();
  return { name: text(0, 100), size: octal(124, 12) };
}
