import type { FastifyRequest } from 'fastify';
import { AppError } from '@passwordbroker/core/contract/problem';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import type { BodyLimits } from './body.ts';
import { answersHead, candidatesOf } from '../method.ts';
import type { RoutesByMethod } from '../method.ts';
import type { Route } from '../route.ts';

/** Smaller, because a form cannot be parsed in portions. */
const FORM_BYTES = LIMITS.fieldJsonBytes;

/** Limits by content type. Only files, and JSON that another thread parses, may be very large. */
export function limitsOf({ endpoint, options }: Route, { headers }: Pick<FastifyRequest, 'headers'>): BodyLimits {
  const type = headers['content-type'] ?? '';
  const { bodyLimit: files = LIMITS.bodyBytes, jsonLimit: text = LIMITS.bodyBytes } = endpoint;
  const isForFiles = /^multipart\/form-data\b/i.test(type);
  const isLeftUnread = options.leavesJsonUnread === true && /^application\/json\b/i.test(type);
  if (isForFiles || isLeftUnread) return { whole: files, text };
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(type);
  return { whole: isForm ? Math.min(text, FORM_BYTES) : text, text };
}

/** The largest limits of all matching calls. @throws AppError `method_not_allowed` if there is none */
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

/** Whether the caller's rights are checked before the body is read. */
export const hasLargeBody = ({ headers }: Pick<FastifyRequest, 'headers'>, { whole }: BodyLimits): boolean =>
  headers['transfer-encoding'] === undefined
    ? Number(headers['content-length'] ?? 0) > READ_UNCHECKED
    : whole > LIMITS.bodyBytes;
