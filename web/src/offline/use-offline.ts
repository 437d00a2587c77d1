import { useSyncExternalStore } from 'react';
import type { OfflineState } from '@passwordbroker/client/offline/offline';
import { offline } from '../page/vault.ts';

const subscribe = (listener: () => void) => offline.subscribe(listener);
const getState = () => offline.getState();

export function useOffline(): OfflineState {
  return useSyncExternalStore(subscribe, getState);
}
