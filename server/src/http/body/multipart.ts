/** Multipart bodies (docs/spec/api.md §1.1). */
import { Readable } from 'node:stream';
import { setImmediate as othersTurn } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { AppError } from '@passwordbroker/core/contract/problem';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import type { Booking } from './body-memory.ts';
import { UnreadJson, decodeUtf8, expectedSize, gather, readAll, readJson, tooLarge } from './body.ts';
import type { BodyLimits, JsonPart, ReceivedBody, UploadedFile } from './body.ts';
import type { Semaphore } from '../../platform/semaphore.ts';
import { nest, partsOf } from './names.ts';
import type { Pair } from './names.ts';
import { SpoolFailed } from './spool.ts';
import type { Spool } from './spool.ts';

const PARTS = 1000;
const NAME_BYTES = 200;

/** As browsers escape (WHATWG HTML). */
const ESCAPED: Readonly<Record<string, string>> = { '%22': '"', '%0d': '\r', '%0a': '\n' };
const unescapeName = (name: string) =>
  name.replaceAll(/%(?:22|0d|0a)/gi, (code) => ESCAPED[code.toLowerCase()] ?? code);

const isJson = (type: string) => type.startsWith('application/json');

interface Places {
  readonly booking: Booking;
  readonly multipartParsers: Semaphore;
  readonly jsonPart: JsonPart | undefined;
  readonly spool: Spool | null;
}

/**
 * Limits all texts to `limits.text`, the body to `limits.whole`. @throws AppError `payload_too_large`,
 * `bad_request`
 */
export async function receiveMultipart(
  request: FastifyRequest,
  limits: BodyLimits,
  places: Places,
): Promise<ReceivedBody> {
  const { booking, multipartParsers, spool } = places;
  const announced = expectedSize(request, Infinity);
  if (spool !== null || (announced === 0 ? limits.whole : announced) > LIMITS.bodyBytes) {
    // The library buffers texts until complete.
    booking.add(Math.min(limits.text, announced || limits.whole));
    return receiveParts(request, limits, places);
  }
  const bytes = await readAll(request, limits.whole, booking);
  return multipartParsers.run(() => receiveParts(withBody(request, bytes), limits, { ...places, booking: BOOKED }));
}

/** The body is already booked. */
const BOOKED: Booking = { add() {}, release() {} };

const PIECE = 8 * 1024;

/** Other requests run in between. */
function withBody(request: FastifyRequest, bytes: Buffer): FastifyRequest {
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += PIECE) {
      yield bytes.subarray(at, at + PIECE);
      await othersTurn();
    }
  }
  const raw = Object.assign(Readable.from(pieces(), { objectMode: false }), { headers: request.headers });
  return Object.create(request, { raw: { value: raw } }) as FastifyRequest;
}

async function receiveParts(
  request: FastifyRequest,
  limits: BodyLimits,
  { booking, jsonPart, spool }: Omit<Places, 'multipartParsers'>,
): Promise<ReceivedBody> {
  const pairs: Pair[] = [];
  const files: UploadedFile[] = [];
  const isExpected = (name: string) => jsonPart !== undefined && partsOf(name).join('.') === jsonPart.name;
  let json: unknown;
  let size = 0;
  let textSize = 0;
  const measure = (bytes: number) => {
    size += bytes;
    if (size > limits.whole) throw tooLarge(limits.whole);
  };
  const count = (bytes: number) => {
    measure(bytes);
    booking.add(bytes);
  };
  let spooled = 0;
  /** In memory until the caller is admitted. */
  const countSpooled = (bytes: number) => {
    measure(bytes);
    booking.add(Math.max(0, Math.min(bytes, LIMITS.bodyBytes - spooled)));
    spooled += bytes;
  };
  const countText = (bytes: number) => {
    textSize += bytes;
    if (textSize > limits.text) throw tooLarge(limits.text);
    count(bytes);
  };
  const options = {
    limits: {
      parts: PARTS,
      fields: PARTS,
      files: PARTS,
      fieldNameSize: NAME_BYTES,
      fieldSize: limits.text,
      fileSize: limits.whole,
      headerPairs: 100,
    },
    // As bytes: the library would parse JSON of any size.
    isPartAFile: (name: string | undefined, type: string | undefined, filename: string | undefined) =>
      filename !== undefined || type === 'application/octet-stream' || isJson(type ?? '') || isExpected(name ?? ''),
  };
  try {
    for await (const part of request.parts(options)) {
      const name = unescapeName(part.fieldname);
      if (part.type === 'field') {
        if (part.fieldnameTruncated || typeof part.value !== 'string') throw new AppError('bad_request');
        if (part.valueTruncated) throw tooLarge(limits.text);
        countText(Buffer.byteLength(part.value));
        pairs.push([name, part.value]);
        continue;
      }
      const filename = part.filename === undefined ? undefined : unescapeName(part.filename);
      if (spool?.expects(name) === true && filename !== undefined) {
        await spool.take({ part: name, filename, content: part.file }, countSpooled, () => nest(pairs));
        continue;
      }
      const expected = isExpected(name);
      const isUnread = expected && jsonPart?.unread === true;
      const isText = filename === undefined || (expected && isJson(part.mimetype));
      const bytes = await gather(
        part.file,
        isUnread ? expectedSize(request, limits.whole) : 0,
        isText && !isUnread ? countText : count,
      );
      if (expected && (isJson(part.mimetype) || bytes.at(0) === OPENING_BRACE)) {
        json = isUnread ? new UnreadJson(bytes, false) : await readJson(bytes);
      } else if (expected && filename === undefined) {
        pairs.push([name, decodeUtf8(bytes)]);
      } else if (isJson(part.mimetype) && filename === undefined) {
        // Only the expected part may be JSON.
        throw new AppError('bad_request');
      } else {
        files.push({
          part: name,
          filename: part.filename === undefined ? part.filename : (filename ?? ''),
          mime: part.mimetype,
          bytes,
        });
      }
    }
    await spool?.finish(nest(pairs));
  } catch (error) {
    throw asProblem(error, limits.whole);
  }
  const members = nest(pairs);
  if (json !== undefined && jsonPart !== undefined) place(members, jsonPart.name.split('.'), json);
  return { members, files, spooled: spool?.files ?? [], size, digest: () => null };
}

const OPENING_BRACE = 0x7b;

function place(members: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [name = '', ...below] = path;
  if (below.length === 0) {
    members[name] = value;
    return;
  }
  const inner = Object.hasOwn(members, name) ? members[name] : (members[name] = {});
  if (typeof inner !== 'object' || inner === null) throw new AppError('bad_request');
  place(inner as Record<string, unknown>, below, value);
}

function asProblem(error: unknown, limit: number): AppError | SpoolFailed {
  if (error instanceof AppError || error instanceof SpoolFailed) return error;
  const status = typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : undefined;
  return status === 413 ? tooLarge(limit) : new AppError('bad_request');
}
