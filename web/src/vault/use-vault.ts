/** The vault of this page for components. */
import { createContext, use, useSyncExternalStore } from 'react';
import { offline, vault } from '../page/vault.ts';
import { OFFLINE_TEXTS } from '../texts/offline.ts';
import type { Vault } from '@passwordbroker/client/vault/vault';

/** The one on the server. */
export const VaultContext = createContext<Vault>(vault);

/** The local copy's while the page works from it. */
export function useVault(): Vault {
  const online = use(VaultContext);
  return useSyncExternalStore(offline.subscribe, offline.vault) ?? online;
}

/** Why nothing can be written, and nothing asked of the server, now; null: it can. What cannot work stays in its place and says this. */
export function useWhyNot(): string | null {
  return useVault().mode === 'offline' ? OFFLINE_TEXTS.notOffline : null;
}
