/** The vault of this page for components. */
import { createContext, use, useSyncExternalStore } from 'react';
import { activityLog } from '../activity-log/activity-log.ts';
import { keyring } from '../keyring/keyring.ts';
import { lockAfter } from '../keyring/lock-after.ts';
import { http } from '../lib/http.ts';
import { offline } from '../offline/offline.ts';
import { OFFLINE_TEXTS } from '../texts/offline.ts';
import { ROTATION_TEXTS } from '../texts/rotation.ts';
import { keepLockLimit } from './lock-limit.ts';
import { onlineVault } from './online.ts';
import type { UpkeepNotice } from './upkeep.ts';
import type { Vault } from './vault.ts';

function tellKeptUp({ rotated, failed }: UpkeepNotice): void {
  if (rotated > 0) activityLog.add(ROTATION_TEXTS.keptUp(rotated));
  if (failed > 0) activityLog.add(ROTATION_TEXTS.notKeptUp(failed), { isFailure: true });
}

/** The one on the server. */
export const VaultContext = createContext<Vault>(onlineVault(http, keyring, { onKeptUp: tellKeptUp }));

keepLockLimit({ http, keyring, lockAfter });

/** The local copy's while the page works from it. */
export function useVault(): Vault {
  const online = use(VaultContext);
  return useSyncExternalStore(offline.subscribe, offline.vault) ?? online;
}

/** Why nothing can be written, and nothing asked of the server, now; null: it can. What cannot work stays in its place and says this. */
export function useWhyNot(): string | null {
  return useVault().mode === 'offline' ? OFFLINE_TEXTS.notOffline : null;
}
