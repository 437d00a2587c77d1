/** Operations that somebody else was faster with. */
import { AppError } from '@passwordbroker/core/contract/problem';

/** How often an operation is made anew because others changed the members meanwhile. */
export const TRIES = 20;

/** Somebody else was faster: the same operation is made anew on what is there now. */
export function isBehind(error: unknown): boolean {
  const codes = ['roster_conflict', 'key_version_conflict', 'rewrap_set_mismatch'];
  return error instanceof AppError && codes.includes(error.code);
}
