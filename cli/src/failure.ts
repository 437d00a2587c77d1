/** Exit codes, and the errors that end a command with one. */
import { AppError, type ProblemCode } from '@passwordbroker/core/contract/problem';
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import { isLocked, KeyringError } from '@passwordbroker/client/keyring/keyring-error';
import { AnswerError } from '@passwordbroker/client/transport/answers';
import { NetworkError, TimeoutError } from '@passwordbroker/client/transport/exchange';

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

/** What the person reads on standard error, and the exit code. The rest is for programs (`--json`). */
export interface Failure {
  readonly exit: Exit;
  readonly code: string;
  readonly message: string;
  /** As the server told them. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly request_id?: string | undefined;
}

export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly failure: Failure;

  constructor(exit: Exit, code: string, message: string, told: Pick<Failure, 'details' | 'request_id'> = {}) {
    super(message);
    this.failure = { ...told, exit, code, message };
  }
}

export const wrongUsage = (message: string): CommandError => new CommandError(EXIT.usage, 'usage', message);

export const alreadyThere = (path: string): CommandError =>
  new CommandError(EXIT.failed, 'no_file', `${path} exists already. Replace it: --force`);

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
  client_too_old: EXIT.otherVersion,
  provider_unavailable: EXIT.noConnection,
};
const EXIT_OF_STATUS: Readonly<Record<number, Exit>> = { 403: EXIT.refused, 409: EXIT.changed, 412: EXIT.changed };

/** Of any error that ends a command; unexpected ones keep their message only. */
export function failureOf(error: unknown): Failure {
  if (error instanceof CommandError) return error.failure;
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof AppError) {
    const exit = EXIT_OF[error.code] ?? EXIT_OF_STATUS[error.status] ?? EXIT.failed;
    const [first] = Object.values(error.errors ?? {}).flat();
    const { code, retryAfter, details, requestId: request_id } = error;
    const isWaiting = code === 'too_many_requests' && retryAfter !== undefined;
    const said = isWaiting ? `Too many attempts. Try again in ${retryAfter} seconds.` : (first ?? message);
    return { exit, code, message: said, details, request_id };
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
    return { exit: EXIT.noConnection, code: 'no_connection', message: away(error) };
  return { exit: EXIT.failed, code: 'failed', message: systemSentence(error) ?? message };
}

/** Node says only 'fetch failed'; the reason is in its cause. */
function away(error: NetworkError | AnswerError): string {
  if (error instanceof AnswerError || error instanceof TimeoutError) return `${error.message}.`;
  let reason: unknown = error;
  for (let depth = 0; reason instanceof Error && reason.cause !== undefined && depth < 4; depth += 1)
    reason = reason.cause;
  const text = reason instanceof Error ? (REASONS[codeOf(reason)] ?? reason.message) : '';
  return `The server cannot be reached${text === '' ? '' : `: ${text}`}.`;
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was broken',
  UND_ERR_SOCKET: 'the connection was broken',
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name could not be looked up',
  ETIMEDOUT: 'it does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'it does not answer',
};

const SYSTEM: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of the path is no folder',
  EISDIR: 'it is a folder',
  EEXIST: 'it exists already',
  ENOSPC: 'no space is left',
  EDQUOT: 'no space is left',
  EROFS: 'the disk can only be read',
  EFBIG: 'the file would be too large',
  EMFILE: 'too many files are open',
};

const codeOf = (error: Error) => String((error as NodeJS.ErrnoException).code ?? '');

/** Of an error of the operating system; null for others. */
function systemSentence(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const said = SYSTEM[codeOf(error)];
  if (said === undefined) return null;
  const { path } = error as NodeJS.ErrnoException;
  return path === undefined ? `The output cannot be written: ${said}.` : `${path} cannot be used: ${said}.`;
}

export const LOCKED = 'The vault is locked. Unlock it: pb unlock';
export const DISPUTED =
  'The server shows another list of members than this device has accepted. Open the group in the browser to check it.';
export const NOT_SIGNED_IN = 'You are not signed in. Sign in: pb login https://…';
