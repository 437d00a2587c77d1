/** An `AppError` on its way from one thread to another: classes and codes do not survive a structured clone. */
import { AppError } from '@passwordbroker/core/contract/problem';
import type { ProblemCode, ProblemErrors } from '@passwordbroker/core/contract/problem';
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import { brokenUniqueness, storageFailure } from '../db/failures.ts';

export interface Refusal {
  readonly code: ProblemCode;
  readonly message: string;
  readonly errors: ProblemErrors | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  /** For the log, where it is a bug of ours. */
  readonly stack: string | undefined;
}

export function asRefusal(error: unknown): Refusal {
  const known = asAppError(error);
  const { code, message, errors, details } = known ?? new AppError('internal');
  return { code, message, errors, details, stack: known === null && error instanceof Error ? error.stack : undefined };
}

export function fromRefusal({ code, message, errors, details, stack }: Refusal): Error {
  if (stack !== undefined) return Object.assign(new Error('An import failed'), { stack });
  return new AppError(code, {
    message,
    ...(errors === undefined ? {} : { errors }),
    ...(details === undefined ? {} : { details }),
    ...(code === 'unavailable' ? { retryAfter: 2 } : {}),
  });
}

function asAppError(error: unknown): AppError | null {
  if (error instanceof AppError) return error;
  if (error instanceof CryptoError) return new AppError('integrity_error');
  if (brokenUniqueness(error) !== null) return new AppError('id_taken');
  const storage = storageFailure(error);
  return storage === null ? null : new AppError(storage);
}
