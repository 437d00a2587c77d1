import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { AppError } from '@passwordbroker/core/contract/problem';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { sha256, sha256OfLarge } from '../../platform/ids-and-digests.ts';
import type { Booking } from './body-memory.ts';
import { BODY_BOUNDS, refuseDenseJson } from './json-shape.ts';
import { parseLargeJson } from './json-list.ts';
import { mayNameForbidden, nest, pairsOf, refuseForbiddenNames } from './names.ts';
import type { SpooledFile } from './spool.ts';

const CONTENT_TYPE = /^([a-z]+\/[a-z0-9.+-]+) *(?:;(.*))?$/i;

/** In memory: plain uploads must not reach the disk. */
export interface UploadedFile {
  readonly part: string;
  /** From the client; never used as a path. */
  readonly filename: string;
  readonly mime: string;
  readonly bytes: Buffer;
}

/** Unparsed JSON: the body or a part of it. */
export class UnreadJson {
  readonly bytes: Buffer;
  readonly isWholeBody: boolean;
  constructor(bytes: Buffer, isWholeBody: boolean) {
    this.bytes = bytes;
    this.isWholeBody = isWholeBody;
  }
}

export interface ReceivedBody {
  readonly members: Record<string, unknown>;
  readonly files: readonly UploadedFile[];
  readonly spooled?: readonly SpooledFile[];
  readonly size: number;
  /** SHA-256 as sent; null for multipart. */
  readonly digest: () => Uint8Array | null;
}

const SMALL = 16 * 1024;
/** Limits tiny chunks, which cost time. */
const [FREE_CHUNKS, BYTES_PER_CHUNK] = [500, 64];
export const EMPTY: ReceivedBody = { members: {}, files: [], size: 0, digest: () => sha256(new Uint8Array()) };

export interface JsonPart {
  /** Path of a JSON member in a multipart body: `user.key_bundle`. */
  readonly name: string;
  /** Leave it unparsed, also a large JSON body. */
  readonly unread: boolean;
}

export interface BodyLimits {
  readonly whole: number;
  /** All texts of a multipart body. */
  readonly text: number;
}

export type BodyKind = 'json' | 'form' | 'multipart';

const KINDS: ReadonlyMap<string, BodyKind> = new Map([
  ['application/json', 'json'],
  ['application/x-www-form-urlencoded', 'form'],
  ['multipart/form-data', 'multipart'],
]);
const WITHOUT_BODY = new Set(['GET', 'HEAD', 'TRACE']);

/** By the headers; null without a body. @throws AppError `payload_too_large`, `unsupported_media_type` */
export function bodyKindOf(request: FastifyRequest, limits: BodyLimits): BodyKind | null {
  const { headers, method } = request;
  if (WITHOUT_BODY.has(method)) return null;
  const declared = Number(headers['content-length'] ?? 0);
  if (declared > limits.whole) throw tooLarge(limits.whole);
  if (headers['transfer-encoding'] === undefined && declared === 0) return null;
  const kind = KINDS.get(mediaType(request));
  if (kind === undefined || (headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new AppError('unsupported_media_type');
  }
  return kind;
}

export const tooLarge = (limit: number) => new AppError('payload_too_large', { details: { limit } });

const CONTENT_TYPE_NAME = 'content-type';
const isContentType = (name: string) =>
  name.length === CONTENT_TYPE_NAME.length && name.toLowerCase() === CONTENT_TYPE_NAME;

/** @throws AppError `unsupported_media_type` for a repeated header or another charset */
function mediaType(request: FastifyRequest): string {
  const { rawHeaders } = request.raw;
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (isContentType(rawHeaders[at] ?? '')) count += 1;
  if (count > 1) throw new AppError('unsupported_media_type');
  const [, type = '', parameters = ''] = CONTENT_TYPE.exec(request.headers['content-type'] ?? '') ?? [];
  const charset = /charset\s*=\s*"?([^";\s]+)/i.exec(parameters)?.[1] ?? 'utf-8';
  if (!/^utf-?8$/i.test(charset)) throw new AppError('unsupported_media_type');
  return type.toLowerCase();
}

export async function readAll(request: FastifyRequest, limit: number, booking: Booking): Promise<Buffer> {
  // The multipart plugin leaves the stream on `raw`.
  const body = (request.body ?? request.raw) as Readable;
  const expected = expectedSize(request, limit);
  let size = 0;
  let chunks = 0;
  const count = (bytes: number) => {
    size += bytes;
    chunks += 1;
    if (size > limit) throw tooLarge(limit);
    if (chunks > FREE_CHUNKS + size / BYTES_PER_CHUNK) throw new AppError('bad_request');
    booking.add(bytes);
  };
  if (expected > 0 && expected <= SMALL) {
    const here = wholeIfHere(request, body, expected);
    return here ?? readSmall(body, count);
  }
  // Keeps the connection for the response.
  return gather(body.iterator({ destroyOnReturn: false }), expected, count);
}

/** Null if it comes after the headers. */
function wholeIfHere({ raw }: FastifyRequest, body: Readable, expected: number): Buffer | null {
  if (raw !== body || !raw.complete || raw.readableLength !== expected) return null;
  const bytes: unknown = raw.read();
  return Buffer.isBuffer(bytes) ? bytes : null;
}

/** Faster than an iterator. */
function readSmall(body: Readable, count: (bytes: number) => void): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const take = (chunk: Buffer) => {
      try {
        count(chunk.length);
        chunks.push(chunk);
      } catch (error) {
        leave();
        reject(error);
      }
    };
    const finish = () => {
      leave();
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks));
    };
    const fail = (error?: Error) => {
      leave();
      reject(error ?? new Error('The body was broken off'));
    };
    const leave = () => body.off('data', take).off('end', finish).off('error', fail).off('close', fail);
    body.on('data', take).on('end', finish).on('error', fail).on('close', fail);
  });
}

export const expectedSize = (request: FastifyRequest, limit: number) =>
  Math.min(limit, Number(request.headers['content-length'] ?? 0) || 0);

/** Joins chunks on arrival: never twice in memory. */
export async function gather(
  chunks: AsyncIterable<unknown>,
  expected: number,
  count: (bytes: number) => void,
): Promise<Buffer> {
  let whole = Buffer.allocUnsafeSlow(expected);
  let size = 0;
  for await (const chunk of chunks) {
    const bytes = chunk as Buffer;
    count(bytes.length);
    if (size + bytes.length > whole.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(2 * whole.length, size + bytes.length, SMALL));
      whole.copy(larger, 0, 0, size);
      whole = larger;
    }
    bytes.copy(whole, size);
    size += bytes.length;
  }
  // Unused capacity would not be counted.
  return whole.length > 2 * size ? Buffer.from(whole.subarray(0, size)) : whole.subarray(0, size);
}

export function fromForm(raw: Buffer): ReceivedBody {
  if (raw.length === 0) return EMPTY;
  const digest = digestOf(raw);
  return { members: nest(pairsOf(decodeUtf8(withSpaces(raw)))), files: [], size: raw.length, digest };
}

/** 20 times as fast as on a string. */
function withSpaces(raw: Buffer): Buffer {
  const form = Buffer.from(raw);
  for (let at = 0; at < form.length; at += 1) if (form[at] === PLUS) form[at] = SPACE;
  return form;
}

const [PLUS, SPACE] = [0x2b, 0x20];

/** Few calls need the digest of a small body. */
function digestOf(raw: Buffer): () => Uint8Array {
  if (raw.length <= SMALL) return () => sha256(raw);
  const digest = sha256(raw);
  return () => digest;
}

/** @throws AppError `bad_request` for malformed, dense or deep JSON */
export async function readJson(raw: Buffer): Promise<unknown> {
  return raw.length > LIMITS.bodyBytes ? parseLargeJson(raw, parsePiece) : parsePiece(raw);
}

function parsePiece(raw: Uint8Array): unknown {
  refuseDenseJson(raw, BODY_BOUNDS);
  const text = decodeUtf8(raw);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new AppError('bad_request');
  }
  if (mayNameForbidden(text)) refuseForbiddenNames(value);
  return value;
}

/** With `unread`, a large body stays unparsed as that member. */
export async function fromJson(raw: Buffer, jsonPart: JsonPart | undefined): Promise<ReceivedBody> {
  if (raw.length === 0) return EMPTY;
  if (jsonPart?.unread !== true) return receivedJson(raw);
  const received = raw.length > LIMITS.bodyBytes ? null : await receivedJson(raw);
  if (received !== null && (received.members[jsonPart.name] ?? null) === null) return received;
  const members = { [jsonPart.name]: new UnreadJson(raw, true) };
  return { members, files: [], size: raw.length, digest: () => null };
}

async function receivedJson(raw: Buffer): Promise<ReceivedBody> {
  const members = await readJson(raw);
  if (typeof members !== 'object' || members === null || Array.isArray(members)) throw new AppError('bad_request');
  return { members: members as Record<string, unknown>, files: [], size: raw.length, digest: await digestFor(raw) };
}

async function digestFor(raw: Buffer): Promise<() => Uint8Array> {
  if (raw.length <= LIMITS.bodyBytes) return digestOf(raw);
  const digest = await sha256OfLarge(raw);
  return () => digest;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new AppError('bad_request');
  }
}
