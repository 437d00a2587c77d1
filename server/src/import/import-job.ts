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

export interface BodyPart {
  /** `file_{field_id}_{rev}` */
  readonly part: string;
  readonly bytes: Uint8Array;
}

/** A batch that a client has sealed, unparsed, from one request. */
export interface SealedSource {
  readonly json: Uint8Array;
  /** True: a request body with the member `batch`; false: the batch. */
  readonly isWholeBody: boolean;
  readonly bodies: readonly BodyPart[];
}

/** Such a batch from several requests, in the body store. */
export interface StoredSource {
  /** In their order. */
  readonly batches: readonly string[];
  /** Sealed files by part name; values are SHA-256 names of the store. */
  readonly bodies: ReadonlyMap<string, string>;
}

/** The keys follow once the master password is verified. */
export interface KeepassSource {
  readonly file: Uint8Array;
}

export interface SealKeys {
  readonly identity: PublicIdentity;
  readonly keys: OpenKeys;
}

export interface JobParts {
  readonly databasePath: string;
  readonly dataDir: string;
  readonly operationId: string;
  readonly user: { readonly userId: string; readonly name: string; readonly email: string };
  readonly certificate: CertificateWire;
  readonly origin: Origin;
  readonly noticesFrom: string | null;
  /** Unix time in ms. */
  readonly now: number;
  /** Bytes. */
  readonly fileLimit: number;
}

export interface ImportJob extends JobParts {
  readonly source: SealedSource | StoredSource | KeepassSource;
}

/** `acquire` waits for the database writer; `done` or `refused` is the result. */
export type FromImport =
  | { readonly type: 'acquire' }
  | { readonly type: 'release' }
  | { readonly type: 'body'; readonly name: string }
  | { readonly type: 'done'; readonly answer: ImportAnswer; readonly isRepeat: boolean }
  | { readonly type: 'refused'; readonly refusal: Refusal };

export type ToImport = 'acquired' | 'abort' | SealKeys;

/** A structured clone loses class and code of an error. */
interface Refusal {
  readonly code: ProblemCode;
  readonly message: string;
  readonly errors: ProblemErrors | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  /** For unexpected errors only. */
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
