import { AppError } from '@passwordbroker/core/contract/problem';

/** Attempts of an operation on members. */
export const TRIES = 20;

/**
 * Whether the error is a conflict with a concurrent change, so that a retry on the current state can succeed.
 */
export function isBehind(error: unknown): boolean {
  const codes = ['roster_conflict', 'key_version_conflict', 'rewrap_set_mismatch'];
  return error instanceof AppError && codes.includes(error.code);
}
