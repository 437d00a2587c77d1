import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '@passwordbroker/core/contract/problem';
import type { Deps } from '../context.ts';

const METHODS = 'GET, POST, PUT, PATCH, DELETE';
const HEADERS = 'Authorization, Content-Type, X-XSRF-TOKEN, X-PB-Proof, X-Setup-Token, If-Match';

/** Lets pages of origins in `CORS_ORIGINS` read the response. */
export function allowListedOrigin(
  { config }: Pick<Deps, 'config'>,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { origin } = request.headers;
  if (config.corsOrigins.length === 0) return;
  reply.header('vary', 'Origin');
  if (origin === undefined || !config.corsOrigins.includes(origin)) return;
  reply.header('access-control-allow-origin', origin);
  reply.header('access-control-allow-credentials', 'true');
  reply.header('access-control-expose-headers', 'Date, Link, Retry-After, X-Operation-Id');
}

export function answerPreflight(
  deps: Pick<Deps, 'config'>,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { origin } = request.headers;
  if (origin === undefined || !deps.config.corsOrigins.includes(origin)) throw new AppError('method_not_allowed');
  return reply
    .code(204)
    .header('access-control-allow-methods', METHODS)
    .header('access-control-allow-headers', HEADERS)
    .header('access-control-max-age', '600')
    .send();
}
