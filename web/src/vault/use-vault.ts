import { createContext, use, useSyncExternalStore } from 'react';
import { offline, vault } from '../page/vault.ts';
import { OFFLINE_TEXTS } from '../texts/offline.ts';
import type { Vault } from '@passwordbroker/client/vault/vault';

export const VaultContext = createContext<Vault>(vault);

/** Returns the offline vault in offline mode, else the online one. */
export function useVault(): Vault {
  const online = use(VaultContext);
  return useSyncExternalStore(offline.subscribe, offline.vault) ?? online;
}

/** Why nothing can be written or requested from the server now; null if it can. */
export function useWhyNot(): string | null {
  return useVault().mode === 'offline' ? OFFLINE_TEXTS.notOffline : null;
}
