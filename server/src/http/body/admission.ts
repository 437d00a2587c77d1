import type { FastifyRequest } from 'fastify';
import { AppError } from '@passwordbroker/core/contract/problem';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import {
  type BodyLimits,
  fromForm,
  fromJson,
  readAll,
  type BodyKind,
  type JsonPart,
  type ReceivedBody,
} from './body.ts';
import { answersHead, candidatesOf, type RoutesByMethod, type Route } from '../route.ts';
import type { Booking } from './body-memory.ts';
import type { Semaphore } from '../../platform/semaphore.ts';
import { demandPace } from '../connection.ts';
import { receiveMultipart } from './multipart.ts';
import { SpoolFailed, type Spool } from './spool.ts';

/** Forms cannot be parsed in portions. */
const FORM_BYTES = LIMITS.fieldJsonBytes;

/** Limits by content type. Only files and unread JSON may be very large. */
export function limitsOf({ endpoint, options }: Route, { headers }: Pick<FastifyRequest, 'headers'>): BodyLimits {
  const type = headers['content-type'] ?? '';
  const { bodyLimit: files = LIMITS.bodyBytes, jsonLimit: text = LIMITS.bodyBytes } = endpoint;
  const isForFiles = /^multipart\/form-data\b/i.test(type);
  const isLeftUnread = options.leavesJsonUnread === true && /^application\/json\b/i.test(type);
  if (isForFiles || isLeftUnread) return { whole: files, text };
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(type);
  return { whole: isForm ? Math.min(text, FORM_BYTES) : text, text };
}

/** Largest limits of matching routes. @throws AppError `method_not_allowed` without one */
export function bodyLimitsOf(routes: RoutesByMethod, request: FastifyRequest): BodyLimits {
  const { method } = request;
  const candidates = candidatesOf(routes, method);
  if (candidates.length === 0 && !(method === 'HEAD' && answersHead(routes.get('GET')))) {
    throw new AppError('method_not_allowed');
  }
  const limits = candidates.map((route) => limitsOf(route, request));
  return {
    whole: Math.max(LIMITS.bodyBytes, ...limits.map(({ whole }) => whole)),
    text: Math.max(LIMITS.bodyBytes, ...limits.map(({ text }) => text)),
  };
}

const READ_UNCHECKED = 64 * 1024;

/** Rights are checked before such a body is read. */
export const hasLargeBody = ({ headers }: Pick<FastifyRequest, 'headers'>, { whole }: BodyLimits): boolean =>
  headers['transfer-encoding'] === undefined
    ? Number(headers['content-length'] ?? 0) > READ_UNCHECKED
    : whole > LIMITS.bodyBytes;

interface Reading {
  readonly limits: BodyLimits;
  readonly booking: Booking;
  readonly multipartParsers: Semaphore;
  readonly jsonPart: JsonPart | undefined;
  readonly spool: Spool | null;
}

/** Reads within limits and minimum speed; books bytes on arrival. */
export async function receiveBody(request: FastifyRequest, kind: BodyKind, reading: Reading): Promise<ReceivedBody> {
  const { limits, booking, multipartParsers, jsonPart, spool } = reading;
  const endPace = demandPace(request);
  try {
    switch (kind) {
      case 'json':
        return await fromJson(await readAll(request, limits.whole, booking), jsonPart);
      case 'form':
        return fromForm(await readAll(request, limits.whole, booking));
      case 'multipart':
        return await receiveMultipart(request, limits, { booking, multipartParsers, jsonPart, spool });
    }
  } catch (error) {
    // Drains the rest, so that the response is sent.
    request.raw.unpipe();
    request.raw.resume();
    // Our failure, even if the client has disconnected.
    if (error instanceof SpoolFailed) throw error.cause;
    if (!(error instanceof AppError) && request.raw.destroyed) throw new AppError('bad_request');
    throw error;
  } finally {
    endPace();
  }
}
