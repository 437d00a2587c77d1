/** A server may be hostile: anything outside the contract is refused. */
import type * as z from 'zod/mini';
import { AppError, PROBLEM_STATUS, type ProblemCode, type ProblemErrors } from '@passwordbroker/core/contract/problem';
import { translated } from '@passwordbroker/core/texts';
import { anything, list, object, type Read, record, text } from './read-json.ts';
import { type Incoming, NetworkError } from './exchange.ts';
import { CONNECTION_TEXTS } from '../texts/connection.ts';

export class AnswerError extends Error {
  override readonly name = 'AnswerError';
  constructor() {
    super(CONNECTION_TEXTS.badAnswer);
  }
}

/** Removes members that the schema does not list. @throws AnswerError */
export function readAnswer(schema: z.core.$ZodType | undefined, incoming: Incoming): unknown {
  if (schema === undefined) return undefined;
  // The schema validates by itself, so that the sign-in page does not load the library.
  const read = schema['~standard'].validate(jsonOf(incoming));
  // A promise means nesting beyond the stack.
  if (read instanceof Promise) read.catch(() => undefined);
  else if (read.issues === undefined) return read.value;
  throw new AnswerError();
}

/** For schemas checked by hand. @throws AnswerError */
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

export const readDescribed = object<Described, Details>(
  { message: text },
  { code: text, errors: record(list(text)), details: record(anything), request_id: text },
);

/** Reads a problem body (docs/spec/api.md §1.3). */
export function readProblem(incoming: Incoming): AppError {
  const problem = described(incoming);
  if (problem === null) return new AppError(codeOfStatus(incoming.status));
  return new AppError(knownCode(problem.code) ?? codeOfStatus(incoming.status), {
    message: problem.message,
    ...(problem.errors === undefined ? {} : { errors: translatedErrors(problem.errors) }),
    ...(problem.details === undefined ? {} : { details: problem.details }),
    ...(problem.request_id === undefined ? {} : { requestId: problem.request_id }),
    ...(incoming.retryAfter === undefined ? {} : { retryAfter: incoming.retryAfter }),
  });
}

const translatedErrors = (errors: ProblemErrors): ProblemErrors =>
  Object.fromEntries(Object.entries(errors).map(([field, texts]) => [field, texts.map(translated)]));

function described(incoming: Incoming) {
  try {
    return readDescribed(jsonOf(incoming));
  } catch {
    return null;
  }
}

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

/** Without a problem body, for example of a proxy. */
function codeOfStatus(status: number): ProblemCode {
  const found = Object.entries(PROBLEM_STATUS).find(([, known]) => known === status)?.[0];
  return knownCode(found) ?? (status >= 500 ? 'unavailable' : 'bad_request');
}

/** No answer, or a proxy's (502): local data may be used instead. */
export const isAway = (failure: unknown): boolean =>
  failure instanceof NetworkError || (failure instanceof AppError && failure.code === 'unavailable');
