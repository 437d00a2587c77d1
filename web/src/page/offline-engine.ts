/** The local copy with everything that it works with on this page. */
import { openCopyStore } from '@passwordbroker/client/browser/keyring/idb-copy-store';
import { clientId } from '@passwordbroker/client/session/client-id';
import { createOfflineEngine, type OfflineEngine } from '@passwordbroker/client/offline/engine';
import type { OfflinePage } from '@passwordbroker/client/offline/page';
import { PACES } from '@passwordbroker/client/offline/parts';
import { keyring } from './vault.ts';
import { tabs, http, servers, session } from './page.ts';

export function startEngine(shown: Pick<OfflinePage, 'getState' | 'show' | 'setHasCopies'>): OfflineEngine {
  return createOfflineEngine({
    http,
    keyring,
    session,
    servers,
    store: openCopyStore(),
    origin: location.origin,
    clientId: () => clientId(() => localStorage),
    exclusive,
    tabs,
    isLasting,
    paces: PACES,
    ...shown,
  });
}

async function isLasting(ask: boolean): Promise<boolean | null> {
  try {
    const { storage } = navigator;
    return (await storage.persisted()) || (ask && (await storage.persist()));
  } catch {
    return null;
  }
}

/** Every tab of this browser asks for the same name. Where there are no locks, the store decides who came first. */
async function exclusive<T>(name: string, work: () => Promise<T>): Promise<T | null> {
  if (!('locks' in navigator)) return work();
  return navigator.locks.request(`passwordbroker ${name}`, { ifAvailable: true }, (lock) =>
    lock === null ? Promise.resolve(null) : work(),
  ) as Promise<T | null>;
}
