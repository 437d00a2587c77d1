import type { FastifyReply } from 'fastify';
import { AppError } from '@passwordbroker/core/contract/problem';
import type { ProblemCode } from '@passwordbroker/core/contract/problem';
import { storageFailure } from '../../db/failures.ts';
import type { Log } from '../../platform/log.ts';

const BY_STATUS: Readonly<Record<number, ProblemCode>> = {
  400: 'bad_request',
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'payload_too_large',
  414: 'bad_request',
  415: 'unsupported_media_type',
  431: 'bad_request',
};

const RETRIABLE = new Set([429, 503]);
const RETRY_SECONDS = 5;

const STORAGE_FAILURES = {
  unavailable: 'Storage unavailable: check the disk of DATA_DIR and the database',
  insufficient_storage: 'Storage full: free space at DATA_DIR and the server resumes',
} as const;

/** The client's error, without stack, SQL or path; logs unknown errors. */
export function asAppError(error: unknown, requestId: string, log: Log): AppError {
  if (error instanceof AppError) return error;
  const storage = storageFailure(error);
  if (storage !== null) {
    log.error({ request_id: requestId, error }, STORAGE_FAILURES[storage]);
    return new AppError(storage, storage === 'unavailable' ? { retryAfter: 2 } : {});
  }
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  const code = BY_STATUS[status];
  if (code !== undefined) return new AppError(code);
  log.error({ request_id: requestId, error }, 'A request failed');
  return new AppError('internal');
}

export function sendProblem(reply: FastifyReply, problem: AppError, requestId: string): FastifyReply {
  const { status, retryAfter = RETRIABLE.has(status) ? RETRY_SECONDS : undefined } = problem;
  if (retryAfter !== undefined) reply.header('retry-after', String(Math.max(1, Math.ceil(retryAfter))));
  // The rest stays unread.
  if (problem.status === 413) reply.header('connection', 'close');
  return reply
    .code(problem.status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(
      JSON.stringify({
        message: problem.message,
        code: problem.code,
        ...(problem.errors === undefined ? {} : { errors: problem.errors }),
        ...(problem.details === undefined ? {} : { details: problem.details }),
        request_id: requestId,
      }),
    );
}
