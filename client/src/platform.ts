/** What differs between a page, a terminal and an extension. Each of them makes one platform and one client from it. */
import type { CopyStore } from './keyring/copy/copy-store.ts';
import type { KeyringWorker, Presence } from './keyring/keyring.ts';
import type { Tabs } from './keyring/lock/tabs.ts';
import type { Load } from './load.ts';
import type { PlainStore } from './plain-store.ts';
import type { TokenRecords } from './session/token-records.ts';
import type { CookieJar } from './transport/cookies.ts';
import type { Incoming, Outgoing } from './transport/exchange.ts';

/** What signing in needs. A page loads the rest of its platform later. */
export interface SignInPlatform {
  /** Scheme and host of the own server, without slash. Local copies are kept under it. */
  readonly origin: string;
  /** @throws NetworkError; the signal's reason when aborted */
  readonly exchange: (outgoing: Outgoing) => Promise<Incoming>;
  /** null: the server is spoken to with tokens only. */
  readonly cookies: CookieJar | null;
  /** Settings without secrets. Throws where nothing can be kept. */
  readonly plain: () => PlainStore;
  /** Tokens for other servers, sealed under a key of this device. */
  readonly openTokens: () => Promise<TokenRecords>;
  /** null: no local copies are kept. */
  readonly copies: Pick<LocalCopies, 'mayHave'> | null;
  /** Other clients of this device: if one locks, all lock. */
  readonly tabs: Tabs;
  readonly load: Load;
}

export interface Platform extends SignInPlatform {
  readonly copies: LocalCopies | null;
  /** Starts the isolated context that holds all keys. */
  readonly startKeyring: () => KeyringWorker;
  readonly watchPresence: (presence: Presence) => void;
  /** @returns null where another client of this device does work of this name */
  readonly exclusive: <T>(name: string, work: () => Promise<T>) => Promise<T | null>;
}

export interface LocalCopies {
  /** Whether this device may have a copy; if not, their code is not loaded. Never throws. */
  mayHave(): Promise<boolean>;
  /** Remembers for `mayHave` whether there is a copy. */
  setHas(has: boolean): void;
  openStore(): Promise<CopyStore>;
  /** Whether the device keeps copies when space is low; `ask`: requests it. null: unknown. Never throws. */
  isLasting(ask: boolean): Promise<boolean | null>;
}
