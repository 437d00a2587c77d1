/** What the local copy needs from its page. */
import type { CopyStore } from '../keyring/copy/copy-store.ts';
import type { Keyring } from '../keyring/keyring.ts';
import type { Tabs } from '../platform.ts';
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
  readonly session: Pick<Session, 'view' | 'subscribe' | 'workOffline' | 'refresh'>;
  readonly servers: { chosen(): string | null; choose(origin: string | null): void };
  readonly store: CopyStore;
  readonly origin: string;
  /** @throws Error if the browser stores nothing */
  clientId(): string;
  /** Runs `work` unless another tab holds the lock `name`; then returns null. */
  exclusive<T>(name: string, work: () => Promise<T>): Promise<T | null>;
  readonly tabs: Pick<Tabs, 'tell' | 'listen'>;
  /** Whether the browser keeps the copy when space is low; `ask` requests it. null: unknown. Never throws. */
  isLasting(ask: boolean): Promise<boolean | null>;
  readonly paces: Readonly<Record<PartName, PartPace>>;
  getState(): OfflineState;
  show(change: Partial<OfflineState>): void;
  /** Later starts load the engine only if true. */
  setHasCopies(has: boolean): void;
}
