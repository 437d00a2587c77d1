/** What the request's thread and the import's threads tell each other. Everything here survives a structured clone. */
import type { MessagePort } from 'node:worker_threads';
import type { importFile } from '@passwordbroker/core/contract/entries/import';
import type { AnswerOf } from '@passwordbroker/core/contract/endpoint';
import type { CertificateWire, PublicIdentity } from '@passwordbroker/core/domain/keyring/certificate';
import type { OpenKeys } from '@passwordbroker/core/domain/keyring/keyring';
import type { Origin } from '../http/context.ts';
import type { Refusal } from './refusal.ts';

export type ImportAnswer = AnswerOf<typeof importFile>;

/** A sealed file body, named by its part: `file_{field_id}_{rev}`. */
export interface BodyPart {
  readonly part: string;
  readonly bytes: Uint8Array;
}

/** A batch that a client has sealed: JSON text, unread. */
export interface SealedSource {
  readonly json: Uint8Array;
  /** Whether the text is a whole request body with the member `batch`, or the batch alone. */
  readonly isWholeBody: boolean;
  readonly bodies: readonly BodyPart[];
}

/** What both threads of an import know. */
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

/** What the storing thread starts with: the rows come through the port. */
export interface ImportJob extends JobParts {
  readonly port: MessagePort;
}

/** What the checking thread starts with. */
export interface CheckJob extends JobParts {
  readonly source: SealedSource;
  readonly port: MessagePort;
}

/** In whose name a KeePass file is sealed. */
export interface SealKeys {
  readonly identity: PublicIdentity;
  readonly keys: OpenKeys;
}

/** What the sealing thread starts with. The keys follow as a message, when the master password has been judged. */
export interface SealJob extends JobParts {
  readonly file: Uint8Array;
  readonly port: MessagePort;
  /** The way to the second one; null where there is no core for it. */
  readonly hands: MessagePort | null;
}

/** What its second thread starts with. */
export interface HandsJob extends Pick<JobParts, 'databasePath' | 'dataDir' | 'operationId' | 'now' | 'fileLimit'> {
  readonly userId: string;
  readonly port: MessagePort;
}

/**
 * Messages of a sealing or checking thread: the name of each file body that it stored, and
 * `through` at the end.
 */
export type FromSender = 'through' | { readonly body: string };

/** `acquire`: waits for the database writer; `release`: a transaction has ended. */
export type FromImport =
  | { readonly type: 'acquire' }
  | { readonly type: 'release' }
  | { readonly type: 'done'; readonly answer: ImportAnswer; readonly isRepeat: boolean }
  | { readonly type: 'refused'; readonly refusal: Refusal };

/** `acquired`: the answer to `acquire`. */
export type ToImport = 'acquired' | 'abort';
