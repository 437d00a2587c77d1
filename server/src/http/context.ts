/** What a handler gets: the parts of the running server, and the one request. */
import type { Endpoint, ParamName, Params, QueryOf, Scope } from '@passwordbroker/core/contract/endpoint';
import type { Kdf } from '@passwordbroker/core/crypto/kdf';
import type { AccountPasswords } from '../platform/argon2.ts';
import type { GroupAction } from '@passwordbroker/core/domain/policy';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { BodyStore } from '../platform/bodies.ts';
import type { ClockWatch } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Mailer } from '../platform/mailer.ts';
import type { DerivationQueue } from '../platform/derivation-queue.ts';
import type { Semaphore } from '../platform/semaphore.ts';
import type { Space } from '../platform/space.ts';
import type { UnreadJson, UploadedFile } from './body.ts';
import type { SpooledFile } from './spool.ts';
import type { EntryInPath, EntryOfField, FieldInPath, GroupInPath, GroupOfField } from './path-repository.ts';

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
}

/** The running server. Tests replace the clock, what derivations cost and the log output, nothing else. */
export interface Deps {
  readonly config: Config;
  readonly db: Database;
  readonly clock: Clock;
  readonly clockWatch: ClockWatch;
  /** UUID version 7, ascending within this process. */
  readonly newId: () => string;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Null where no mail is configured. */
  readonly mailer: Mailer | null;
  /** Origin that notices to people name; null where nobody would mail them. */
  readonly noticesFrom: string | null;
  /** Sealed file bodies. */
  readonly bodies: BodyStore;
  /** Room on the disk of the data folder. */
  readonly space: Space;
  readonly kdf: Kdf;
  readonly accountPasswords: AccountPasswords;
  /** Every Argon2id of this process waits here: account passwords and master passwords alike. */
  readonly derivations: DerivationQueue;
  /** Imports come one after another: each may fill a good part of the memory. */
  readonly imports: Semaphore;
  /** First sign-ups go one after another: anyone may ask, and only one of them gets an account. */
  readonly firstSignUps: Semaphore;
  /** Files that are opened here are in memory until the caller has them. */
  readonly fileReveals: Semaphore;
  /** Each offline copy that is being made holds a connection to the database. */
  readonly offlineCopies: Semaphore;
  /** Archives that somebody wants to have proven wait for one another. */
  readonly proofs: Semaphore;
  /** Every scrypt under an archive password waits here, to set it and to try it: each takes 256 MiB. */
  readonly archiveKeys: Semaphore;
  /** Exponent of scrypt's cost under an archive password. */
  readonly archiveWorkFactor: number;
  /** The zone of the server, by which backups are scheduled and named. */
  readonly timeZone: string;
  readonly recovery: RecoveryGate;
}

/** While a recovery runs, nobody else is served. */
export interface RecoveryGate {
  /** In this process. */
  isRunning: boolean;
  /** In another one on the same database. */
  isElsewhere(): Promise<boolean>;
}

/** Who calls. Read from the database at every request. */
export interface Actor {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly isAdmin: boolean;
  /** Reads what site admins read; never both. */
  readonly isAuditor: boolean;
  readonly serverCryptoOptOut: boolean;
  readonly hasKeys: boolean;
  /** What the token is for; null for a session, which is for everything. */
  readonly scopes: readonly Scope[] | null;
  /** Public id of the session or token. */
  readonly sessionId: string;
  readonly epoch: number;
  /** When the account password was given last (fresh sign-in), milliseconds. */
  readonly confirmedAt: number;
  /** The account password did not meet the policy of the site when this session or token was granted for it. */
  readonly hasWeakPassword: boolean;
}

/** Where a request comes from, for the audit log. */
export interface Origin {
  readonly address: string;
  /** Hex SHA-256 of the user agent, null without one. */
  readonly agentHash: string | null;
  readonly userAgent: string;
}

interface CookieOptions {
  readonly httpOnly: boolean;
  /** Seconds; absent: until the browser closes; 0 removes the cookie. */
  readonly maxAge?: number;
}

/** What a handler may set on the answer beside its body. */
export interface AnswerHead {
  setHeader(name: string, value: string): void;
  setCookie(name: string, value: string, options: CookieOptions): void;
}

/** The request as every handler sees it, whatever the endpoint. */
export interface RequestContext {
  readonly deps: Deps;
  readonly actor: Actor | null;
  readonly origin: Origin;
  readonly requestId: string;
  readonly head: AnswerHead;
  /** A request header, null when absent. */
  readonly header: (name: string) => string | null;
  /** A cookie, null when absent or when the request carries `Authorization`. */
  readonly cookie: (name: string) => string | null;
  /** The body came with a master password, or asks the server for keys: nothing of it is remembered (`api.md` §1.1). */
  readonly isPlainForm: boolean;
  readonly files: readonly UploadedFile[];
  /** Files on the disk, where the route asks for it (`spoolsFiles`); gone when the call has ended. */
  readonly spooled: readonly SpooledFile[];
  /** The sealed form as it came, where the route asks for it (`leavesJsonUnread`). */
  readonly unread: UnreadJson | null;
  /** Aborted when the caller goes away before the answer; made for whoever asks. */
  readonly signal: () => AbortSignal;
  /** The method that decides among the calls of a path; `_method` has been applied. */
  readonly method: string;
  /** Method and path with its query as sent: what a proof is bound to. */
  readonly wireMethod: string;
  readonly url: string;
  /** SHA-256 of the raw body, made for whoever asks; null for multipart. */
  readonly bodyDigest: () => Uint8Array | null;
}

type IfNamed<E extends Endpoint, Name extends string, T, Else = null> = Name extends ParamName<E['path']> ? T : Else;

/** The request as the handler of one endpoint sees it. */
export interface Context<E extends Endpoint, Body> extends RequestContext {
  readonly actor: E['access'] extends 'anyone' ? Actor | null : Actor;
  /** The living group of the path, with the caller's role in it. */
  readonly group: E['access'] extends GroupAction ? IfNamed<E, 'f', GroupOfField, GroupInPath> : null;
  /** The living entry, field of the path, found through their parents. */
  readonly entry: IfNamed<E, 'f', EntryOfField, IfNamed<E, 'e', EntryInPath>>;
  readonly field: IfNamed<E, 'f', FieldInPath>;
  readonly params: Params<E['path']>;
  readonly query: QueryOf<E>;
  readonly body: Body;
}
