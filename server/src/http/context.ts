import type { Endpoint, ParamName, Params, QueryOf, Scope } from '@passwordbroker/core/contract/endpoint';
import type { Kdf } from '@passwordbroker/core/crypto/kdf';
import type { AccountPasswords } from '../platform/passwords/argon2.ts';
import type { GroupAction } from '@passwordbroker/core/domain/policy';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { BodyStore } from '../platform/storage/bodies.ts';
import type { ClockWatch } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Mailer } from '../platform/mailer.ts';
import type { DerivationQueue } from '../platform/passwords/derivation-queue.ts';
import type { Semaphore } from '../platform/semaphore.ts';
import type { Space } from '../platform/storage/space.ts';
import type { UnreadJson, UploadedFile } from './body/body.ts';
import type { SpooledFile } from './body/spool.ts';
import type { EntryInPath, EntryOfField, FieldInPath, GroupInPath, GroupOfField } from './auth/path-repository.ts';

export interface Clock {
  /** Unix time in ms. */
  now(): number;
}

/** Parts of the running server. */
export interface Deps {
  readonly config: Config;
  readonly db: Database;
  readonly clock: Clock;
  readonly clockWatch: ClockWatch;
  /** UUID version 7, ascending within the process. */
  readonly newId: () => string;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Null if mail is not configured. */
  readonly mailer: Mailer | null;
  /** Site origin in mails; null if mail is not configured. */
  readonly noticesFrom: string | null;
  readonly bodies: BodyStore;
  /** Free space of the data folder's disk. */
  readonly space: Space;
  readonly kdf: Kdf;
  readonly accountPasswords: AccountPasswords;
  /** Queue of all Argon2id derivations. */
  readonly derivations: DerivationQueue;
  /** One import at a time, because each needs much memory. */
  readonly imports: Semaphore;
  /** One first sign-up at a time: anyone may try, and only one succeeds. */
  readonly firstSignUps: Semaphore;
  /** Limits files decrypted here, which stay in memory until sent. */
  readonly fileReveals: Semaphore;
  /** Limits offline copies in progress; each holds a database connection. */
  readonly offlineCopies: Semaphore;
  /** Limits archives verified at the same time. */
  readonly proofs: Semaphore;
  /** Queue of scrypt derivations, each of 256 MiB. */
  readonly archiveKeys: Semaphore;
  /** log2 of the scrypt cost. */
  readonly archiveWorkFactor: number;
  /** Of the server, for backups. */
  readonly timeZone: string;
  readonly recovery: RecoveryGate;
}

/** While a recovery runs, other requests get 503. */
export interface RecoveryGate {
  /** In this process. */
  isRunning: boolean;
  /** In another process on the same database. */
  isElsewhere(): Promise<boolean>;
}

/** The caller, read from the database at every request. */
export interface Actor {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly isAdmin: boolean;
  /** May read like a site admin; never together with `isAdmin`. */
  readonly isAuditor: boolean;
  readonly serverCryptoOptOut: boolean;
  readonly hasKeys: boolean;
  /** Scopes of a token; null for a session, which has all. */
  readonly scopes: readonly Scope[] | null;
  /** Public id of the session or token. */
  readonly sessionId: string;
  readonly epoch: number;
  /** Time of the last account password check (Unix time in ms). */
  readonly confirmedAt: number;
  /** The account password did not meet the site's policy when this session or token was created. */
  readonly hasWeakPassword: boolean;
}

/** Source of a request for the audit log. */
export interface Origin {
  readonly address: string;
  /** Hex SHA-256 of the user agent; null without one. */
  readonly agentHash: string | null;
  readonly userAgent: string;
}

interface CookieOptions {
  readonly httpOnly: boolean;
  /** Seconds; absent: session cookie; 0: removes the cookie. */
  readonly maxAge?: number;
}

/** Response parts that a handler may set beside the body. */
export interface AnswerHead {
  setHeader(name: string, value: string): void;
  setCookie(name: string, value: string, options: CookieOptions): void;
}

/** Request data for handlers of any endpoint. */
export interface RequestContext {
  readonly deps: Deps;
  readonly actor: Actor | null;
  readonly origin: Origin;
  readonly requestId: string;
  readonly head: AnswerHead;
  /** Null if absent. */
  readonly header: (name: string) => string | null;
  /** Null if absent or if the request has an `Authorization` header. */
  readonly cookie: (name: string) => string | null;
  /**
   * The body contains a master password or asks the server to create keys; no digest of it is stored
   * (docs/spec/api.md §1.1).
   */
  readonly isPlainForm: boolean;
  readonly files: readonly UploadedFile[];
  /** Files on disk, deleted after the request. */
  readonly spooled: readonly SpooledFile[];
  /** The unparsed sealed form of routes with `leavesJsonUnread`. */
  readonly unread: UnreadJson | null;
  /** Aborts if the client disconnects before the response. */
  readonly signal: () => AbortSignal;
  /** Effective method, with `_method` applied. */
  readonly method: string;
  /** Method and path with query as sent; a proof is bound to them. */
  readonly wireMethod: string;
  readonly url: string;
  /** SHA-256 of the raw body; null for multipart. */
  readonly bodyDigest: () => Uint8Array | null;
}

type IfNamed<E extends Endpoint, Name extends string, T, Else = null> = Name extends ParamName<E['path']> ? T : Else;

/** Request data for the handler of one endpoint. */
export interface Context<E extends Endpoint, Body> extends RequestContext {
  readonly actor: E['access'] extends 'anyone' ? Actor | null : Actor;
  /** The live group of the path with the caller's role. */
  readonly group: E['access'] extends GroupAction ? IfNamed<E, 'f', GroupOfField, GroupInPath> : null;
  /** Live entry and field of the path, checked against their parents. */
  readonly entry: IfNamed<E, 'f', EntryOfField, IfNamed<E, 'e', EntryInPath>>;
  readonly field: IfNamed<E, 'f', FieldInPath>;
  readonly params: Params<E['path']>;
  readonly query: QueryOf<E>;
  readonly body: Body;
}
