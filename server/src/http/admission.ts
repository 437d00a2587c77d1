/** How much of a body is let in, before any of it is read. */
import type { FastifyRequest } from 'fastify';
import { AppError } from '@passwordbroker/core/contract/problem';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import type { Actor } from './context.ts';
import { answersHead } from './method.ts';
import type { RoutesByMethod } from './method.ts';

/** Bytes of large bodies in memory at once, over all requests; beyond it a large one has to come again. */
const BODY_MEMORY = 256 * 1024 * 1024;

/** The largest body of this type that any call of this path may bring with this method; 405 when there is none. */
export function bodyLimitOf(routes: RoutesByMethod, { method, headers }: FastifyRequest): number {
  const able = method === 'POST' ? [...routes.values()].filter((route) => route.endpoint.method !== 'GET') : [];
  const exact = routes.get(method);
  const candidates = exact === undefined ? able : [exact, ...able];
  if (candidates.length === 0 && !(method === 'HEAD' && answersHead(routes.get('GET')))) {
    throw new AppError('method_not_allowed');
  }
  const isJson = /^application\/json\b/i.test(headers['content-type'] ?? '');
  const limits = candidates.map(({ endpoint: { bodyLimit = 0, jsonLimit = bodyLimit } }) =>
    isJson ? jsonLimit : bodyLimit,
  );
  return Math.max(LIMITS.bodyBytes, ...limits);
}

const hasLargeBody = (request: FastifyRequest) =>
  request.headers['transfer-encoding'] !== undefined ||
  Number(request.headers['content-length'] ?? 0) > LIMITS.bodyBytes;

/** Nobody fills our memory before he has signed in. */
export function refuseLargeFromStrangers(
  routes: RoutesByMethod,
  request: FastifyRequest,
  actor: Actor | null,
  limit: number,
): void {
  if (actor !== null || limit <= LIMITS.bodyBytes || !hasLargeBody(request)) return;
  if ([...routes.values()].every((route) => route.endpoint.access !== 'anyone')) throw new AppError('unauthenticated');
}

/** Books the body's memory; the returned function gives it back. Throws `unavailable` (503) when all is taken. */
export function reserveMemory(memory: { used: number }, request: FastifyRequest, limit: number): () => void {
  if (!hasLargeBody(request)) return () => {};
  const declared = Number(request.headers['content-length'] ?? limit);
  const bytes = Math.min(declared, limit);
  if (memory.used + bytes > BODY_MEMORY) throw new AppError('unavailable', { retryAfter: 5 });
  memory.used += bytes;
  return () => {
    memory.used -= bytes;
  };
}
