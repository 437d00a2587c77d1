import type {
  FactorState,
  Restriction,
  SessionFactor,
  SignInMethod,
} from '@passwordbroker/core/contract/account/sign-in-methods';
import type { Endpoint, ParamName, Params, QueryOf, Scope } from '@passwordbroker/core/contract/endpoint';
import type { SaidClient } from '@passwordbroker/core/contract/faces';
import type { Kdf } from '@passwordbroker/core/crypto/kdf';
import type { AccountPasswords } from '../platform/passwords/argon2.ts';
import type { GroupAction } from '@passwordbroker/core/domain/policy';
import type { Config, Providers } from '../app/config.ts';
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

export interface Deps {
  readonly config: Config;
  readonly db: Database;
  readonly clock: Clock;
  readonly clockWatch: ClockWatch;
  /** UUID version 7, ascending. */
  readonly newId: () => string;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly mailer: Mailer | null;
  readonly noticesFrom: string | null;
  readonly bodies: BodyStore;
  readonly space: Space;
  readonly kdf: Kdf;
  readonly accountPasswords: AccountPasswords;
  readonly derivations: DerivationQueue;
  /** One at a time: each needs much memory. */
  readonly imports: Semaphore;
  /** Only one succeeds. */
  readonly firstSignUps: Semaphore;
  /** Limits decrypted files in memory. */
  readonly fileReveals: Semaphore;
  /** Each holds a database connection. */
  readonly offlineCopies: Semaphore;
  readonly proofs: Semaphore;
  /** Each scrypt takes 256 MiB. */
  readonly archiveKeys: Semaphore;
  /** log2 of the scrypt cost. */
  readonly archiveWorkFactor: number;
  readonly timeZone: string;
  readonly recovery: RecoveryGate;
  readonly providers: Providers;
}

export interface RecoveryGate {
  isRunning: boolean;
  isElsewhere(): Promise<boolean>;
}

/** The identity provider of a session. */
export interface ProviderSession {
  readonly id: string;
  /** The provider's id of its own session. */
  readonly sid: string | null;
  /** The longest session, in hours. */
  readonly hours: number;
  /** Whether the person has just signed in at the provider. */
  readonly isFresh: boolean;
}

/** Read from the database at every request. */
export interface Actor {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly isAdmin: boolean;
  /** Never with `isAdmin`. */
  readonly isAuditor: boolean;
  readonly serverCryptoOptOut: boolean;
  readonly hasKeys: boolean;
  /** Null for a session: all. */
  readonly scopes: readonly Scope[] | null;
  /** Public id of the session or token. */
  readonly sessionId: string;
  readonly epoch: number;
  /** Last account password check (Unix ms). */
  readonly confirmedAt: number;
  /** The password did not meet the site's policy. */
  readonly hasWeakPassword: boolean;
  /** How the session began, or the session that made the token. */
  readonly method: SignInMethod;
  readonly factor: SessionFactor | '';
  readonly factorState: FactorState;
  /** Set if the session began at an identity provider. */
  readonly provider: ProviderSession | null;
  /** Set if the caller is a program with a credential of a service account, whose slot is `sessionId`. */
  readonly service: { readonly isAddressAllowed: boolean } | null;
  /** Why the session is restricted to calls marked `whileRestricted`. A restricted token works nowhere. */
  readonly restriction: Restriction | null;
}

export interface Origin {
  readonly address: string;
  /** Hex SHA-256; null without a user agent. */
  readonly agentHash: string | null;
  readonly userAgent: string;
  /** The program, as it said itself; null for others. */
  readonly client: SaidClient | null;
}

export interface Caller {
  readonly actor: Actor;
  readonly origin: Origin;
}

/** A null actor is the command line. */
export interface Operator {
  readonly actor: Actor | null;
  readonly origin: Origin;
}

interface CookieOptions {
  readonly httpOnly: boolean;
  /** Seconds; absent: session cookie; 0: removes the cookie. */
  readonly maxAge?: number;
}

export interface AnswerHead {
  setHeader(name: string, value: string): void;
  setCookie(name: string, value: string, options: CookieOptions): void;
}

export interface RequestContext {
  readonly deps: Deps;
  readonly actor: Actor | null;
  readonly origin: Origin;
  readonly requestId: string;
  readonly head: AnswerHead;
  readonly header: (name: string) => string | null;
  /** Null also with an `Authorization` header. */
  readonly cookie: (name: string) => string | null;
  /**
   * The body has a master password or requests server-made keys; no digest of it is stored (docs/spec/api.md
   * §1.1).
   */
  readonly isPlainForm: boolean;
  readonly files: readonly UploadedFile[];
  /** Deleted after the request. */
  readonly spooled: readonly SpooledFile[];
  /** For routes with `leavesJsonUnread`. */
  readonly unread: UnreadJson | null;
  /** Aborts if the client disconnects. */
  readonly signal: () => AbortSignal;
  /** With `_method` applied. */
  readonly method: string;
  /** As sent: proofs are bound to both. */
  readonly wireMethod: string;
  readonly url: string;
  /** SHA-256 of the raw body; null for multipart. */
  readonly bodyDigest: () => Uint8Array | null;
}

type IfNamed<E extends Endpoint, Name extends string, T, Else = null> = Name extends ParamName<E['path']> ? T : Else;

export interface Context<E extends Endpoint, Body> extends RequestContext {
  readonly actor: E['access'] extends 'anyone' ? Actor | null : Actor;
  /** Live group with the caller's role. */
  readonly group: E['access'] extends GroupAction ? IfNamed<E, 'f', GroupOfField, GroupInPath> : null;
  /** Live rows, checked against their parents. */
  readonly entry: IfNamed<E, 'f', EntryOfField, IfNamed<E, 'e', EntryInPath>>;
  readonly field: IfNamed<E, 'f', FieldInPath>;
  readonly params: Params<E['path']>;
  readonly query: QueryOf<E>;
  readonly body: Body;
}
