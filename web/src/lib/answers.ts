/** From bytes to a typed answer or a typed error. A server may be hostile: nothing passes that the contract does not describe. */
import * as z from 'zod/mini';
import { AppError, PROBLEM_STATUS, type ProblemCode, type ProblemErrors } from '@passwordbroker/core/contract/problem';
import type { Incoming } from './transport.ts';
import { CONNECTION_TEXTS } from '../texts/connection.ts';

// Without this zod probes `new Function`, which a strict CSP reports.
z.config({ jitless: true });

/** The server answered, but with something that the contract does not describe. */
export class AnswerError extends Error {
  override readonly name = 'AnswerError';
  constructor() {
    super(CONNECTION_TEXTS.badAnswer);
  }
}

/** Parsed by the endpoint's schema; members that it does not list are gone. @throws AnswerError */
export function readAnswer(schema: z.core.$ZodType | undefined, incoming: Incoming): unknown {
  if (schema === undefined) return undefined;
  try {
    const read = z.safeParse(schema, JSON.parse(textOf(incoming)));
    if (read.success) return read.data;
  } catch {
    // Not JSON, or nested beyond the stack: the same answer to both.
  }
  throw new AnswerError();
}

const Problem = z.object({
  message: z.string(),
  code: z.optional(z.string()),
  errors: z.optional(z.record(z.string(), z.array(z.string()))),
  details: z.optional(z.record(z.string(), z.unknown())),
  request_id: z.optional(z.string()),
});

/** The problem body of a refusal as the one error that crosses HTTP (`api.md` §1.3). */
export function readProblem(incoming: Incoming): AppError {
  const problem = parsed(incoming);
  if (problem === null) return new AppError(codeOfStatus(incoming.status));
  return new AppError(knownCode(problem.code) ?? codeOfStatus(incoming.status), {
    message: problem.message,
    ...(problem.errors === undefined ? {} : { errors: problem.errors satisfies ProblemErrors }),
    ...(problem.details === undefined ? {} : { details: problem.details }),
    ...(problem.request_id === undefined ? {} : { requestId: problem.request_id }),
    ...(incoming.retryAfter === undefined ? {} : { retryAfter: incoming.retryAfter }),
  });
}

function parsed(incoming: Incoming): z.output<typeof Problem> | null {
  try {
    const read = z.safeParse(Problem, JSON.parse(textOf(incoming)));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}

const textOf = (incoming: Incoming) => new TextDecoder('utf-8', { fatal: true }).decode(incoming.bytes);

function knownCode(code: string | undefined): ProblemCode | undefined {
  return code !== undefined && Object.hasOwn(PROBLEM_STATUS, code) ? (code as ProblemCode) : undefined;
}

/** For answers without a problem body: a proxy's page, an empty one. */
function codeOfStatus(status: number): ProblemCode {
  const found = Object.entries(PROBLEM_STATUS).find(([, known]) => known === status)?.[0];
  return knownCode(found) ?? (status >= 500 ? 'unavailable' : 'bad_request');
}
