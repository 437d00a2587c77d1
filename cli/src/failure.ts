/** Exit codes, and the errors that end a command with one. */
import { AppError, type ProblemCode } from '@passwordbroker/core/contract/problem';
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import { isLocked, KeyringError } from '@passwordbroker/client/keyring/keyring-error';
import { AnswerError } from '@passwordbroker/client/transport/answers';
import { NetworkError } from '@passwordbroker/client/transport/exchange';

export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  locked: 3,
  notFound: 4,
  several: 5,
  refused: 6,
  changed: 7,
  noConnection: 8,
  notSignedIn: 9,
  notTrusted: 10,
  givenUp: 11,
  otherVersion: 12,
} as const;
export type Exit = (typeof EXIT)[keyof typeof EXIT];

/** What the person reads on standard error, and the exit code. `code` is for programs (`--json`). */
export interface Failure {
  readonly exit: Exit;
  readonly code: string;
  readonly message: string;
}

export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly failure: Failure;

  constructor(exit: Exit, code: string, message: string) {
    super(message);
    this.failure = { exit, code, message };
  }
}

export const wrongUsage = (message: string): CommandError => new CommandError(EXIT.usage, 'usage', message);

const EXIT_OF: Partial<Record<ProblemCode, Exit>> = {
  unauthenticated: EXIT.notSignedIn,
  invalid_credentials: EXIT.notSignedIn,
  second_factor_invalid: EXIT.notSignedIn,
  ticket_invalid: EXIT.notSignedIn,
  not_found: EXIT.notFound,
  unavailable: EXIT.noConnection,
  internal: EXIT.noConnection,
  key_changed: EXIT.notTrusted,
  member_unverified: EXIT.notTrusted,
  group_disputed: EXIT.notTrusted,
  trust_record_missing: EXIT.notTrusted,
  integrity_error: EXIT.notTrusted,
  master_password_invalid: EXIT.locked,
};
const EXIT_OF_STATUS: Readonly<Record<number, Exit>> = { 403: EXIT.refused, 409: EXIT.changed, 412: EXIT.changed };

/** Of any error that ends a command; unexpected ones keep their message only. */
export function failureOf(error: unknown): Failure {
  if (error instanceof CommandError) return error.failure;
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof AppError) {
    const exit = EXIT_OF[error.code] ?? EXIT_OF_STATUS[error.status] ?? EXIT.failed;
    const [first] = Object.values(error.errors ?? {}).flat();
    return { exit, code: error.code, message: first ?? message };
  }
  if (isLocked(error)) return { exit: EXIT.locked, code: 'locked', message: LOCKED };
  if (error instanceof KeyringError && error.code === 'import_file')
    return { exit: EXIT.failed, code: error.detail ?? error.code, message };
  if (error instanceof KeyringError) {
    const exit = error.code === 'wrong_master_password' ? EXIT.locked : EXIT.notTrusted;
    return { exit, code: error.code, message };
  }
  if (error instanceof CryptoError) return { exit: EXIT.notTrusted, code: 'integrity', message };
  if (error instanceof NetworkError || error instanceof AnswerError)
    return { exit: EXIT.noConnection, code: 'no_connection', message };
  return { exit: EXIT.failed, code: 'failed', message };
}

export const LOCKED = 'The vault is locked. Unlock it: pb unlock';
export const NOT_SIGNED_IN = 'You are not signed in. Sign in: pb login https://…';
