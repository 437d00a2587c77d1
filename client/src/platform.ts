/** What differs between a page, a terminal and an extension. */
import type { Face } from '@passwordbroker/core/contract/faces';
import type { CopyStore } from './keyring/copy/copy-store.ts';
import type { CookieJar } from './transport/http.ts';
import type { Incoming, Outgoing } from './transport/exchange.ts';

/** A page loads the rest later. */
export interface SignInPlatform {
  readonly face: Face;
  /** Scheme and host, without slash. */
  readonly origin: string;
  /** @throws NetworkError; the signal's reason */
  readonly exchange: (outgoing: Outgoing) => Promise<Incoming>;
  /** Null: tokens only. */
  readonly cookies: CookieJar | null;
  /** Settings without secrets. Throws if storage is blocked. */
  readonly plain: () => PlainStore;
  readonly openTokens: () => Promise<TokenRecords>;
  readonly copies: Pick<LocalCopies, 'mayHave'> | null;
  readonly tabs: Tabs;
  readonly load: Load;
}

export interface Platform extends SignInPlatform {
  readonly copies: LocalCopies | null;
  /** The isolated context that holds all keys. */
  readonly startKeyring: () => KeyringWorker;
  readonly watchPresence: (presence: Presence) => void;
  /** Null: another client of this device holds the lock. */
  readonly exclusive: <T>(name: string, work: () => Promise<T>) => Promise<T | null>;
}

export interface LocalCopies {
  /** False: there is no copy. Never throws. */
  mayHave(): Promise<boolean>;
  setHas(has: boolean): void;
  openStore(): Promise<CopyStore>;
  /** Whether the browser keeps storage when space is low; `ask` requests it. Never throws. */
  isLasting(ask: boolean): Promise<boolean | null>;
}

/** Imports code at first use. `name` is for messages. */
export type Load = <Module>(name: string, importer: () => Promise<Module>) => Promise<Module>;

/** The used part of `localStorage`. Throws if the browser blocks storage. */
export interface PlainStore {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** Apply to all tabs (docs/spec/threats.md W6). */
export const MESSAGES = ['locked', 'active', 'signed out', 'signed in', 'copy changed'] as const;
export type TabMessage = (typeof MESSAGES)[number];

export interface Tabs {
  tell(message: TabMessage): void;
  listen(listener: (message: TabMessage) => void): void;
}

export interface Presence {
  /** At most once a second. */
  readonly onActivity: () => void;
  /** Visible again: after sleep, another tab, or the back/forward cache. */
  readonly onReturn: () => void;
}

export interface KeyringWorker extends Port {
  terminate(): void;
  onerror: ((event: ErrorEvent) => void) | null;
  onmessageerror: ((event: MessageEvent) => void) | null;
}

/** A worker or a message port. */
export interface Port {
  postMessage(message: unknown, transfer?: Transferable[]): void;
  onmessage: ((event: MessageEvent) => void) | null;
}

/** For another server; kept across restarts (docs/spec/product.md §3, §4). */
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
  of(url: string): Promise<TokenRecord | null>;
  all(): Promise<readonly TokenRecord[]>;
  keep(record: TokenRecord): Promise<void>;
  /** @param token only this one: a newer one stays */
  forget(url: string, token?: string): Promise<void>;
  leave(url: string): Promise<void>;
  /** Null: no pending logout. */
  leftAt(url: string): Promise<TokenRecord | null>;
  /** @throws Error with the text of docs/spec/product.md §8 */
  clientId(): string;
}
