/** What the local copy works with on its page. */
import type { CopyStore } from '../keyring/copy/copy-store.ts';
import type { Keyring } from '../keyring/keyring.ts';
import type { Tabs } from '../keyring/lock/tabs.ts';
import type { Http } from '../transport/http.ts';
import type { Session } from '../session/session.ts';
import type { OfflineState, PartName } from './offline.ts';
import type { PartPace } from './parts/parts.ts';

export interface OfflinePage {
  readonly http: Pick<Http, 'call' | 'bytes' | 'setOffline' | 'isOffline' | 'server'>;
  readonly keyring: Pick<
    Keyring,
    'call' | 'isOpen' | 'prepare' | 'unlock' | 'lock' | 'onLocked' | 'onOpened' | 'onDocuments' | 'setLocalBundle'
  >;
  readonly session: Pick<Session, 'view' | 'subscribe' | 'workOffline' | 'comeOnline'>;
  readonly servers: { chosen(): string | null; choose(origin: string | null): void };
  readonly store: CopyStore;
  /** Of the page itself. */
  readonly origin: string;
  /** @throws Error where the browser keeps nothing */
  clientId(): string;
  /** Not in two tabs at once. @returns null where another tab is at it */
  exclusive<T>(name: string, work: () => Promise<T>): Promise<T | null>;
  readonly tabs: Pick<Tabs, 'tell' | 'listen'>;
  /** Whether the browser keeps what lies here also when it runs out of room; asks it to, where that is wanted. null: it does not say. Never throws. */
  isLasting(ask: boolean): Promise<boolean | null>;
  readonly paces: Readonly<Record<PartName, PartPace>>;
  getState(): OfflineState;
  show(change: Partial<OfflineState>): void;
  /** Whether any copy is kept in this browser: then the code for it is loaded the next time. */
  setHasCopies(has: boolean): void;
}
