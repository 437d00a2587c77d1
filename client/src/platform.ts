/** Differences between a page, a terminal and an extension. */
import type { CopyStore } from './keyring/copy/copy-store.ts';
import type { KeyringWorker, Presence } from './keyring/keyring.ts';
import type { Tabs } from './keyring/lock/tabs.ts';
import type { Load } from './load.ts';
import type { PlainStore } from './plain-store.ts';
import type { TokenRecords } from './session/token-records.ts';
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
