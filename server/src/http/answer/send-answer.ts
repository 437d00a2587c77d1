import type { FastifyReply } from 'fastify';
import { Answer, Media, NotModified, WrittenJson } from './answer.ts';
import type { Route } from '../route.ts';
import { NO_ERRORS, examine } from '../validation.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Drops members outside the contract. @throws TypeError if the result does not match it */
export function sendAnswer(route: Route, reply: FastifyReply, result: unknown): FastifyReply {
  const { answer, path } = route.endpoint;
  reply.header('cache-control', 'no-store');
  if (result instanceof Media) {
    return reply
      .code(answer.status)
      .headers(result.headers)
      .type(answer.type ?? 'application/octet-stream')
      .send(result.body);
  }
  if (result instanceof NotModified) return reply.code(304).send();
  if (result instanceof WrittenJson) return reply.code(answer.status).type(JSON_TYPE).send(result.body);
  const [status, value] = result instanceof Answer ? [result.status, result.value as unknown] : [answer.status, result];
  if (answer.schema === undefined) return reply.code(status).send();
  const shaped = examine(answer.schema, value);
  if (shaped.errors !== NO_ERRORS) {
    throw new TypeError(
      `The answer of ${path} is not what the contract says: ${Object.keys(shaped.errors).join(', ')}`,
    );
  }
  return reply.code(status).type(JSON_TYPE).send(JSON.stringify(shaped.value));
}
