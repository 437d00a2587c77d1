/** Bodies: JSON, urlencoded and multipart mean the same (`api.md` §1.1). Strict: what is malformed, too large or of another type is refused. */
import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { AppError } from '@passwordbroker/core/contract/problem';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { sha256 } from '../platform/secrets.ts';
import { nest, pairsOf, refuseForbiddenNames } from './names.ts';
import type { Pair } from './names.ts';

const PARTS = 1000;
const CONTENT_TYPE = /^([a-z]+\/[a-z0-9.+-]+) *(?:;(.*))?$/i;

/** A file part, in memory: what is uploaded in the plain form must not touch the disk. */
export interface UploadedFile {
  /** Name of the part. */
  readonly part: string;
  /** As the client named it: any text, never a path to use. */
  readonly filename: string;
  readonly mime: string;
  readonly bytes: Buffer;
}

/** JSON left unread: the whole body, or the one part that may be structured. */
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
  readonly size: number;
  /** SHA-256 of the body as sent; null for multipart. */
  readonly digest: Uint8Array | null;
}

const SMALL = 16 * 1024;
const EMPTY: ReceivedBody = { members: {}, files: [], size: 0, digest: sha256(new Uint8Array()) };

export interface JsonPart {
  /** The multipart member that may come as JSON text. */
  readonly name: string;
  /** Leave it, or a JSON body that has it or is large, unread. */
  readonly unread: boolean;
}

/** Reads at most `limit` bytes. */
export async function receiveBody(request: FastifyRequest, limit: number, jsonPart?: JsonPart): Promise<ReceivedBody> {
  const { headers } = request;
  const declared = Number(headers['content-length'] ?? 0);
  if (declared > limit) throw tooLarge(limit);
  if (headers['transfer-encoding'] === undefined && declared === 0) return EMPTY;
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') throw new AppError('unsupported_media_type');
  switch (mediaType(request)) {
    case 'application/json':
      return fromJson(await readAll(request, limit), jsonPart);
    case 'application/x-www-form-urlencoded':
      return fromText(await readAll(request, limit), (text) => nest(pairsOf(text)));
    case 'multipart/form-data':
      return receiveMultipart(request, limit, jsonPart);
    default:
      throw new AppError('unsupported_media_type');
  }
}

export const tooLarge = (limit: number) => new AppError('payload_too_large', { details: { limit } });

/** The type without parameters. Doubled headers, control characters and charsets other than UTF-8 are refused. */
function mediaType(request: FastifyRequest): string {
  const names = request.raw.rawHeaders.filter((_, index) => index % 2 === 0);
  if (names.filter((name) => name.toLowerCase() === 'content-type').length > 1) {
    throw new AppError('unsupported_media_type');
  }
  const [, type = '', parameters = ''] = CONTENT_TYPE.exec(request.headers['content-type'] ?? '') ?? [];
  const charset = /charset\s*=\s*"?([^";\s]+)/i.exec(parameters)?.[1] ?? 'utf-8';
  if (!/^utf-?8$/i.test(charset)) throw new AppError('unsupported_media_type');
  return type.toLowerCase();
}

async function readAll(request: FastifyRequest, limit: number): Promise<Buffer> {
  let size = 0;
  // Not destroyed when we stop early: the answer still has to leave through the same connection.
  return gather(
    (request.body as Readable).iterator({ destroyOnReturn: false }),
    expectedSize(request, limit),
    (bytes) => {
      size += bytes;
      if (size > limit) throw tooLarge(limit);
    },
  );
}

/** What the sender says the whole body has; 0 when it does not say. */
const expectedSize = (request: FastifyRequest, limit: number) =>
  Math.min(limit, Number(request.headers['content-length'] ?? 0) || 0);

/** Chunks in one piece. They are put in their place as they come: large bodies would else be held twice. */
async function gather(
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
  return whole.subarray(0, size);
}

function fromText(raw: Buffer, read: (text: string) => Record<string, unknown>): ReceivedBody {
  if (raw.length === 0) return EMPTY;
  return { members: read(decodeUtf8(raw)), files: [], size: raw.length, digest: sha256(raw) };
}

/** A large body is not even looked at: it is taken for the structured form. */
function fromJson(raw: Buffer, jsonPart: JsonPart | undefined): ReceivedBody {
  if (jsonPart?.unread !== true) return fromText(raw, readJson);
  const received = raw.length > LIMITS.bodyBytes ? null : fromText(raw, readJson);
  if (received !== null && (received.members[jsonPart.name] ?? null) === null) return received;
  const members = { [jsonPart.name]: new UnreadJson(raw, true) };
  return { members, files: [], size: raw.length, digest: null };
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new AppError('bad_request');
  }
}

function readJson(text: string): Record<string, unknown> {
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new AppError('bad_request');
  return value as Record<string, unknown>;
}

function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new AppError('bad_request');
  }
  refuseForbiddenNames(value);
  return value;
}

async function receiveMultipart(request: FastifyRequest, limit: number, jsonPart?: JsonPart): Promise<ReceivedBody> {
  const pairs: Pair[] = [];
  const files: UploadedFile[] = [];
  const read = (bytes: Buffer) =>
    jsonPart?.unread === true ? new UnreadJson(bytes, false) : parseJson(decodeUtf8(bytes));
  let json: unknown;
  let size = 0;
  const count = (bytes: number) => {
    size += bytes;
    if (size > limit) throw tooLarge(limit);
  };
  try {
    const limits = { parts: PARTS, fields: PARTS, files: PARTS, fieldNameSize: 200, fieldSize: limit, fileSize: limit };
    for await (const part of request.parts({ limits: { ...limits, headerPairs: 100 } })) {
      if (part.type === 'file') {
        const bytes = await gather(
          part.file,
          part.fieldname === jsonPart?.name ? expectedSize(request, limit) : 0,
          count,
        );
        if (part.fieldname === jsonPart?.name && part.mimetype === 'application/json') json = read(bytes);
        else files.push({ part: part.fieldname, filename: part.filename, mime: part.mimetype, bytes });
        continue;
      }
      if (part.fieldnameTruncated) throw new AppError('bad_request');
      if (typeof part.value !== 'string') {
        // A part of type JSON, already read; only the one that we expect may be structured.
        if (part.fieldname !== jsonPart?.name) throw new AppError('bad_request');
        json = read(Buffer.from(JSON.stringify(part.value)));
        continue;
      }
      count(Buffer.byteLength(part.value));
      if (part.fieldname === jsonPart?.name && part.value.startsWith('{')) json = read(Buffer.from(part.value));
      else pairs.push([part.fieldname, part.value]);
    }
  } catch (error) {
    throw asProblem(error, limit);
  }
  const members = nest(pairs);
  if (json !== undefined && jsonPart !== undefined) members[jsonPart.name] = json;
  return { members, files, size, digest: null };
}

/** Whatever the multipart parser has to say is the sender's fault: too large, or malformed. */
function asProblem(error: unknown, limit: number): AppError {
  if (error instanceof AppError) return error;
  const status = typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : undefined;
  return status === 413 ? tooLarge(limit) : new AppError('bad_request');
}
