/** Differences between a page, a terminal and an extension. */
import type { CopyStore } from './keyring/copy/copy-store.ts';
import type { CookieJar } from './transport/cookies.ts';
import type { Incoming, Outgoing } from './transport/exchange.ts';

/** The part for signing in. A page loads the rest later. */
export interface SignInPlatform {
  /** Scheme and host of the own server, without slash. */
  readonly origin: string;
  /** @throws NetworkError; the signal's reason */
  readonly exchange: (outgoing: Outgoing) => Promise<Incoming>;
  /** Null: tokens only. */
  readonly cookies: CookieJar | null;
  /** Settings without secrets. Throws if storage is blocked. */
  readonly plain: () => PlainStore;
  /** Tokens for other servers, sealed under a device key. */
  readonly openTokens: () => Promise<TokenRecords>;
  /** Null: no local copies. */
  readonly copies: Pick<LocalCopies, 'mayHave'> | null;
  readonly tabs: Tabs;
  readonly load: Load;
}

export interface Platform extends SignInPlatform {
  readonly copies: LocalCopies | null;
  /** Starts the isolated context that holds all keys. */
  readonly startKeyring: () => KeyringWorker;
  readonly watchPresence: (presence: Presence) => void;
  /** Null: another client of this device holds the lock `name`. */
  readonly exclusive: <T>(name: string, work: () => Promise<T>) => Promise<T | null>;
}

export interface LocalCopies {
  /** False: there is no copy, so its code is not loaded. Never throws. */
  mayHave(): Promise<boolean>;
  setHas(has: boolean): void;
  openStore(): Promise<CopyStore>;
  /** Whether the browser keeps storage when space is low; `ask` requests it. Null: unknown. Never throws. */
  isLasting(ask: boolean): Promise<boolean | null>;
}

/** Imports code at first use; rejects if it does not load. `name` is for messages. */
export type Load = <Module>(name: string, importer: () => Promise<Module>) => Promise<Module>;

/** The used part of `localStorage`. Throws if the browser blocks storage. */
export interface PlainStore {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/**
 * Messages between tabs: a lock, a change of the session, or a change of a local copy applies to all
 * (docs/spec/threats.md W6).
 */
export const MESSAGES = ['locked', 'active', 'signed out', 'signed in', 'copy changed'] as const;
export type TabMessage = (typeof MESSAGES)[number];

export interface Tabs {
  tell(message: TabMessage): void;
  listen(listener: (message: TabMessage) => void): void;
}

export interface Presence {
  /** Keyboard, pointer or touch; at most once a second. */
  readonly onActivity: () => void;
  /** The page is visible again: after sleep, a switch of tabs, or from the back/forward cache. */
  readonly onReturn: () => void;
}

export interface KeyringWorker extends Port {
  terminate(): void;
  onerror: ((event: ErrorEvent) => void) | null;
  onmessageerror: ((event: MessageEvent) => void) | null;
}

/** The used part of a worker or a message port. */
export interface Port {
  postMessage(message: unknown, transfer?: Transferable[]): void;
  onmessage: ((event: MessageEvent) => void) | null;
}

/** A token for another server, kept across restarts (docs/spec/product.md §3, §4). */
export interface TokenRecord {
  readonly user_id: string;
  /** E-mail. */
  readonly login: string;
  readonly name: string;
  /** Origin. */
  readonly url: string;
  readonly token: string;
  readonly is_admin: boolean;
  /** Logged out while the server was unreachable: used only to send the logout. */
  readonly is_left?: boolean | undefined;
}

export interface TokenRecords {
  /** Null: none, or it cannot be opened. */
  of(url: string): Promise<TokenRecord | null>;
  all(): Promise<readonly TokenRecord[]>;
  keep(record: TokenRecord): Promise<void>;
  /** @param token only this one: a newer one stays */
  forget(url: string, token?: string): Promise<void>;
  /** Marks the token as logged out. */
  leave(url: string): Promise<void>;
  /** Null: no pending logout. */
  leftAt(url: string): Promise<TokenRecord | null>;
  /**
   * This browser's name for tokens, made at first use. @throws Error with the text of docs/spec/product.md §8
   */
  clientId(): string;
}
