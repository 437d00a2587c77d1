/** What the request's thread and the import's threads tell each other. Everything here survives a structured clone. */
import type { MessagePort } from 'node:worker_threads';
import type { importFile } from '@passwordbroker/core/contract/import';
import type { AnswerOf } from '@passwordbroker/core/contract/endpoint';
import type { CertificateWire, PublicIdentity } from '@passwordbroker/core/domain/certificate';
import type { OpenKeys } from '@passwordbroker/core/domain/keyring';
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
  /** Bytes of one file, as the site admin has it. */
  readonly fileLimit: number;
}

/** What the storing thread starts with. */
export interface ImportJob extends JobParts {
  /**
   * What another thread sends through the port. `sealed`: the checked rows of a batch that a client has sealed; `plain`: a batch that is sealed in the
   * caller's name from a KeePass file, to be checked here.
   */
  readonly source: { readonly form: 'sealed' | 'plain'; readonly port: MessagePort };
}

/** What the checking thread starts with. */
export interface CheckJob extends JobParts {
  readonly source: SealedSource;
  readonly port: MessagePort;
}

/** What the sealing thread starts with. */
export interface SealJob {
  readonly file: Uint8Array;
  readonly identity: PublicIdentity;
  readonly keys: OpenKeys;
  readonly now: number;
  readonly port: MessagePort;
}

/** `turn`: the database is wanted now. */
export type FromImport =
  | { readonly type: 'turn' }
  | { readonly type: 'done'; readonly answer: ImportAnswer; readonly isRepeat: boolean }
  | { readonly type: 'refused'; readonly refusal: Refusal };

export type ToImport = 'go' | 'abort';
