/** What the main thread and the thread of an import send each other. All of it survives a structured clone. */
import type { importFile } from '@passwordbroker/core/contract/entries/import';
import type { AnswerOf } from '@passwordbroker/core/contract/endpoint';
import { AppError } from '@passwordbroker/core/contract/problem';
import type { ProblemCode, ProblemErrors } from '@passwordbroker/core/contract/problem';
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import type { CertificateWire, PublicIdentity } from '@passwordbroker/core/domain/keyring/certificate';
import type { OpenKeys } from '@passwordbroker/core/domain/keyring/keyring';
import { brokenUniqueness, storageFailure } from '../db/failures.ts';
import type { Origin } from '../http/context.ts';

export type ImportAnswer = AnswerOf<typeof importFile>;

/** A sealed file body. */
export interface BodyPart {
  /** `file_{field_id}_{rev}` */
  readonly part: string;
  readonly bytes: Uint8Array;
}

/** A batch that a client has sealed, as unparsed JSON. */
export interface SealedSource {
  readonly json: Uint8Array;
  /** Whether the text is a whole request body with the member `batch`, or the batch alone. */
  readonly isWholeBody: boolean;
  readonly bodies: readonly BodyPart[];
}

/** A KeePass file. The keys follow as a message once the master password is verified. */
export interface KeepassSource {
  readonly file: Uint8Array;
}

/** In whose name a KeePass file is sealed. */
export interface SealKeys {
  readonly identity: PublicIdentity;
  readonly keys: OpenKeys;
}

export interface JobParts {
  readonly databasePath: string;
  readonly dataDir: string;
  readonly operationId: string;
  readonly user: { readonly userId: string; readonly name: string; readonly email: string };
  /** The caller's present one. */
  readonly certificate: CertificateWire;
  readonly origin: Origin;
  /** As in the running server. */
  readonly noticesFrom: string | null;
  /** Milliseconds. */
  readonly now: number;
  /** The largest file of the site settings, in bytes. */
  readonly fileLimit: number;
}

/** What the thread starts with. */
export interface ImportJob extends JobParts {
  readonly source: SealedSource | KeepassSource;
}

/**
 * `acquire`: waits for the database writer; `release`: a transaction has ended; `body`: a file body
 * was stored. One `done` or `refused` is the result.
 */
export type FromImport =
  | { readonly type: 'acquire' }
  | { readonly type: 'release' }
  | { readonly type: 'body'; readonly name: string }
  | { readonly type: 'done'; readonly answer: ImportAnswer; readonly isRepeat: boolean }
  | { readonly type: 'refused'; readonly refusal: Refusal };

/** `acquired`: the answer to `acquire`. */
export type ToImport = 'acquired' | 'abort' | SealKeys;

/** An error between threads: a structured clone keeps neither its class nor its code. */
interface Refusal {
  readonly code: ProblemCode;
  readonly message: string;
  readonly errors: ProblemErrors | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  /** For the log; only of an unexpected error. */
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
