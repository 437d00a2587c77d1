import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { Transform, pipeline } from 'node:stream';
import { constants, createGunzip, gunzipSync } from 'node:zlib';
import * as z from 'zod/mini';
import { AGE_MAGIC, MOST_HEAD_BYTES, ageHeadLength, openAgeHead, type Opener } from './age.ts';
import { DecryptPayload, CheckDigest, TRAILER_BYTES, looksLikeTrailer } from './archive-streams.ts';
import {
  BEGINNING,
  Beginning,
  FILE_OVERHEAD,
  FORMAT,
  MOST_BYTES,
  Manifest,
  PRODUCT,
  readEntryName,
} from './archive-format.ts';
import { ArchiveError, damaged } from './archive-problem.ts';
import { TarReader } from './tar.ts';
import type { TarEntry } from './tar.ts';

/** A higher ratio is a decompression bomb; real archives reach three. */
const MOST_RATIO = 100;
const SMALL_BYTES = 16 * 1024 * 1024;
const MOST_ENTRIES = 5_000_000;
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);

export type ArchivePart =
  | { readonly kind: 'beginning'; readonly beginning: Beginning }
  | { readonly kind: 'table'; readonly table: string; readonly content: AsyncIterable<Buffer> }
  | { readonly kind: 'body'; readonly sha256: string; readonly size: number; readonly content: AsyncIterable<Buffer> }
  | { readonly kind: 'manifest'; readonly manifest: Manifest };

interface Reading {
  readonly path: string;
  /** Null without a password. */
  readonly opener: Opener | null;
  /** From 0 to 1. */
  readonly onProgress?: (part: number) => void;
  readonly signal?: AbortSignal;
}

/** @throws ArchiveError `foreign` if it is neither encrypted nor plain */
export async function isEncrypted(path: string): Promise<boolean> {
  const start = await readStart(path);
  if (start.subarray(0, AGE_MAGIC.length).equals(AGE_MAGIC)) return true;
  if (start.subarray(0, GZIP_MAGIC.length).equals(GZIP_MAGIC)) return false;
  throw new ArchiveError('foreign', 'neither age nor gzip');
}

/** Enforces limits and order. Read every content to its end. @throws ArchiveError */
export async function* readArchive(reading: Reading): AsyncGenerator<ArchivePart> {
  const { source, isOurs, allowance } = await openStreams(reading);
  try {
    yield* partsOf(new TarReader(unpacked(source)), { isOurs, allowance });
  } finally {
    source.destroy();
  }
}

async function beginsAsOurs(path: string): Promise<boolean> {
  try {
    const limits = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: SMALL_BYTES };
    return (
      gunzipSync(await readStart(path), limits)
        .subarray(0, BEGINNING.length)
        .toString('latin1') === BEGINNING
    );
  } catch {
    return false;
  }
}

async function endsAsOurs(path: string, size: number): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { buffer } = await file.read(
      Buffer.alloc(TRAILER_BYTES),
      0,
      TRAILER_BYTES,
      Math.max(0, size - TRAILER_BYTES),
    );
    return looksLikeTrailer(buffer);
  } finally {
    await file.close();
  }
}

/** Holds the whole head of an encrypted archive. */
export async function readStart(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MOST_HEAD_BYTES), 0, MOST_HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function openStreams({ path, opener, onProgress, signal }: Reading) {
  const { size } = await stat(path);
  const decrypt: Transform[] = [];
  let start = 0;
  const wasEncrypted = await isEncrypted(path);
  if (wasEncrypted) {
    const beginning = await readStart(path);
    start = ageHeadLength(beginning);
    if (start > beginning.length) throw damaged('age head');
    decrypt.push(new DecryptPayload(await openAgeHead(beginning.subarray(0, start), opener)));
  }
  let read = 0;
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      read += chunk.length;
      onProgress?.(read / size);
      done(null, chunk);
    },
  });
  const isOurs = wasEncrypted || (await beginsAsOurs(path)) || (await endsAsOurs(path, size));
  // A password vouches for the origin; a plain archive cannot prove it.
  if (!wasEncrypted && opener !== null) throw new ArchiveError(isOurs ? 'unencrypted' : 'foreign', 'a password');
  const allowance = new Allowance(Math.max(SMALL_BYTES, size * MOST_RATIO));
  const out = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      done(allowance.spend(chunk.length) ? null : damaged(TOO_MUCH), chunk);
    },
  });
  const options = signal === undefined ? { start } : { start, signal };
  const streams = [createReadStream(path, options), count, ...decrypt, new CheckDigest(), createGunzip(), out] as const;
  // Any error ends the last stream.
  pipeline(streams as unknown as [NodeJS.ReadableStream, Transform], () => {});
  return { source: out, isOurs, allowance };
}

const TOO_MUCH = 'unpacks to far too much';

class Allowance {
  #left: number;
  constructor(bytes: number) {
    this.#left = bytes;
  }

  spend(bytes: number): boolean {
    this.#left -= bytes;
    return this.#left >= 0;
  }
}

interface Looking {
  readonly isOurs: boolean;
  readonly allowance: Allowance;
}

async function* partsOf(tar: TarReader, { isOurs, allowance }: Looking): AsyncGenerator<ArchivePart> {
  const seen = { entries: 0, tables: new Set<string>(), table: '', part: 0, body: '', isEnded: false };
  for (let entry = await firstOf(tar, isOurs); entry !== null; entry = await tar.next()) {
    const { name, size } = entry;
    seen.entries += 1;
    const meaning = readEntryName(name);
    if (meaning === null || seen.isEnded || seen.entries > MOST_ENTRIES)
      throw damaged('an entry that none of ours has');
    if ((meaning.kind === 'beginning') !== (seen.entries === 1)) throw damaged('order of the entries');
    if (size > MOST_BYTES[meaning.kind]) throw damaged('size of an entry');
    const content = tar.content(entry);
    switch (meaning.kind) {
      case 'beginning':
        yield { kind: 'beginning', beginning: beginningOf(await jsonOf(content)) };
        break;
      case 'table':
        // Parts are numbered, bodies ascend and follow all tables: no name repeats.
        if (meaning.table !== seen.table) {
          if (seen.tables.has(meaning.table)) throw damaged('a table comes twice');
          seen.tables.add(meaning.table);
          seen.table = meaning.table;
          seen.part = 0;
        }
        seen.part += 1;
        if (meaning.part !== seen.part || seen.body !== '') throw damaged('order of the entries');
        yield { kind: 'table', table: meaning.table, content };
        break;
      case 'body':
        if (meaning.sha256 <= seen.body) throw damaged('order of the entries');
        seen.body = meaning.sha256;
        if (!allowance.spend(FILE_OVERHEAD)) throw damaged(TOO_MUCH);
        yield { kind: 'body', sha256: meaning.sha256, size, content };
        break;
      case 'manifest':
        seen.isEnded = true;
        yield { kind: 'manifest', manifest: readAs(Manifest, await jsonOf(content)) };
        break;
    }
  }
  if (!seen.isEnded) throw damaged('no manifest');
}

/** Reports `foreign` instead of `damaged` unless the file looks like ours. */
async function firstOf(tar: TarReader, isOurs: boolean): Promise<Pick<TarEntry, 'name' | 'size'> | null> {
  const asForeign = (detail: string) => (isOurs ? damaged(detail) : new ArchiveError('foreign', detail));
  const entry = await tar.next().catch((error: unknown) => {
    // Broken gzip stays `damaged`.
    throw error instanceof ArchiveError && /^(tar|digest)/.test(error.detail) ? asForeign(error.detail) : error;
  });
  if (entry === null || readEntryName(entry.name)?.kind !== 'beginning') throw asForeign('first entry');
  return entry;
}

async function jsonOf(content: AsyncIterable<Buffer>): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(Buffer.from(chunk));
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)));
  } catch {
    throw damaged('JSON');
  }
}

function beginningOf(value: unknown): Beginning {
  const { product, format } = (value ?? {}) as { product?: unknown; format?: unknown };
  if (product !== PRODUCT) throw new ArchiveError('foreign', 'another product');
  if (typeof format === 'number' && format > FORMAT) throw new ArchiveError('newer', 'format');
  return readAs(Beginning, value);
}

function readAs<S extends z.core.$ZodType>(schema: S, value: unknown): z.output<S> {
  const read = z.safeParse(schema, value);
  if (!read.success) throw damaged('shape of the JSON');
  return read.data;
}

async function* unpacked(source: Transform): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of source) yield chunk as Uint8Array;
  } catch (error) {
    throw asArchiveError(error);
  }
}

function asArchiveError(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && (code.startsWith('Z_') || code === 'ERR_STREAM_PREMATURE_CLOSE')
    ? damaged(`gzip: ${code}`)
    : error;
}
