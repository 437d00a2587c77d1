/** The part of POSIX ustar that archives use. */
import { damaged } from './archive-problem.ts';

const BLOCK = 512;
const MODE = 0o600;

export interface TarEntry {
  readonly name: string;
  readonly size: number;
  readonly content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

/** `mtime` in ms. @throws Error if a content differs from its size */
export async function* writeTar(entries: AsyncIterable<TarEntry>, mtime: number): AsyncGenerator<Uint8Array> {
  for await (const { name, size, content } of entries) {
    yield headOf(name, size, mtime);
    let written = 0;
    for await (const chunk of content) {
      written += chunk.length;
      yield chunk;
    }
    if (written !== size) throw new Error(`${name} has ${written} bytes, not ${size}`);
    yield Buffer.alloc(paddingOf(size));
  }
  yield Buffer.alloc(2 * BLOCK);
}

const paddingOf = (size: number) => (BLOCK - (size % BLOCK)) % BLOCK;

function headOf(name: string, size: number, mtime: number): Buffer {
  const head = Buffer.alloc(BLOCK);
  const octal = (value: number, at: number, digits: number) =>
    head.write(value.toString(8).padStart(digits, '0'), at, 'latin1');
  head.write(name, 0, 100, 'latin1');
  octal(MODE, 100, 7);
  octal(0, 108, 7);
  octal(0, 116, 7);
  octal(size, 124, 11);
  octal(Math.floor(mtime / 1000), 136, 11);
  head.write('0', 156, 'latin1');
  head.write('ustar\0' + '00', 257, 'latin1');
  octal(checksumOf(head), 148, 6);
  head.write('\0 ', 154, 'latin1');
  return head;
}

/** Counts its own field as spaces. */
function checksumOf(head: Buffer): number {
  let sum = 8 * 0x20;
  for (const [at, byte] of head.entries()) if (at < 148 || at >= 156) sum += byte;
  return sum;
}

/** Read each content to its end before `next`. @throws ArchiveError */
export class TarReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Null after the last entry, if only zeros follow. */
  async next(): Promise<Pick<TarEntry, 'name' | 'size'> | null> {
    const head = await this.#take(BLOCK);
    if (head.every((byte) => byte === 0)) {
      await this.#expectZeros();
      return null;
    }
    return readHead(head);
  }

  async *content({ size }: Pick<TarEntry, 'size'>): AsyncGenerator<Buffer> {
    for (let left = size; left > 0;) {
      if (this.#rest.length === 0) await this.#more();
      const chunk = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(chunk.length);
      left -= chunk.length;
      yield chunk;
    }
    const padding = await this.#take(paddingOf(size));
    if (padding.some((byte) => byte !== 0)) throw damaged('tar padding');
  }

  async #take(size: number): Promise<Buffer> {
    while (this.#rest.length < size) await this.#more();
    const taken = this.#rest.subarray(0, size);
    this.#rest = this.#rest.subarray(size);
    return taken;
  }

  async #more(): Promise<void> {
    const { done, value } = await this.#source.next();
    if (done === true) throw damaged('tar ends too early');
    this.#rest = this.#rest.length === 0 ? Buffer.from(value) : Buffer.concat([this.#rest, value]);
  }

  async #expectZeros(): Promise<void> {
    for (;;) {
      if (this.#rest.some((byte) => byte !== 0)) throw damaged('something behind the end of the tar');
      const { done, value } = await this.#source.next();
      if (done === true) return;
      this.#rest = Buffer.from(value);
    }
  }
}

function readHead(head: Buffer): Pick<TarEntry, 'name' | 'size'> {
  const text = (at: number, length: number) => {
    const field = head.subarray(at, at + length);
    const end = field.indexOf(0);
    return field.subarray(0, end === -1 ? length : end).toString('latin1');
  };
  const octal = (at: number, length: number) => {
    const digits = text(at, length).trim();
    if (!/^[0-7]{1,12}$/.test(digits)) throw damaged('tar number');
    return Number.parseInt(digits, 8);
  };
  if (text(257, 6) !== 'ustar') throw damaged('tar form');
  if (octal(148, 8) !== checksumOf(head)) throw damaged('tar checksum');
  // No links, folders, devices or extension headers.
  if (head[156] !== 0x30 || text(157, 100) !== '' || text(345, 155) !== '') throw damaged('tar entry kind');
  return { name: text(0, 100), size: octal(124, 12) };
}
