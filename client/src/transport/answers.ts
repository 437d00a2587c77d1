/** From bytes to a typed answer or a typed error. A server may be hostile: nothing passes that the contract does not describe. */
import type * as z from 'zod/mini';
import { AppError, PROBLEM_STATUS, type ProblemCode, type ProblemErrors } from '@passwordbroker/core/contract/problem';
import { anything, list, object, type Read, record, text } from './read-json.ts';
import type { Incoming } from './exchange.ts';
import { CONNECTION_TEXTS } from '../texts/connection.ts';

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
  // The schema judges by itself: the sign-in page does not wait for the library behind it.
  const read = schema['~standard'].validate(jsonOf(incoming));
  // Nested beyond the stack: it would try again in a turn of its own.
  if (read instanceof Promise) read.catch(() => undefined);
  else if (read.issues === undefined) return read.value;
  throw new AnswerError();
}

/** Checked by hand. @throws AnswerError */
export function readBy<T>(read: Read<T>, incoming: Incoming): T {
  const answer = jsonOf(incoming);
  try {
    return read(answer);
  } catch {
    throw new AnswerError();
  }
}

interface Described {
  readonly message: string;
}
interface Details {
  readonly code?: string;
  readonly errors?: ProblemErrors;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly request_id?: string;
}

/** The body of a refusal. */
export const readDescribed = object<Described, Details>(
  { message: text },
  { code: text, errors: record(list(text)), details: record(anything), request_id: text },
);

/** The problem body of a refusal as the one error that crosses HTTP (docs/spec/api.md §1.3). */
export function readProblem(incoming: Incoming): AppError {
  const problem = described(incoming);
  if (problem === null) return new AppError(codeOfStatus(incoming.status));
  return new AppError(knownCode(problem.code) ?? codeOfStatus(incoming.status), {
    message: problem.message,
    ...(problem.errors === undefined ? {} : { errors: problem.errors }),
    ...(problem.details === undefined ? {} : { details: problem.details }),
    ...(problem.request_id === undefined ? {} : { requestId: problem.request_id }),
    ...(incoming.retryAfter === undefined ? {} : { retryAfter: incoming.retryAfter }),
  });
}

function described(incoming: Incoming) {
  try {
    return readDescribed(jsonOf(incoming));
  } catch {
    return null;
  }
}

/** @throws AnswerError */
function jsonOf({ bytes }: Incoming): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new AnswerError();
  }
}

function knownCode(code: string | undefined): ProblemCode | undefined {
  return code !== undefined && Object.hasOwn(PROBLEM_STATUS, code) ? (code as ProblemCode) : undefined;
}

/** For answers without a problem body: a proxy's page, an empty one. */
function codeOfStatus(status: number): ProblemCode {
  const found = Object.entries(PROBLEM_STATUS).find(([, known]) => known === status)?.[0];
  return knownCode(found) ?? (status >= 500 ? 'unavailable' : 'bad_request');
}
