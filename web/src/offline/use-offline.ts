/** The local copy for components. */
import { useSyncExternalStore } from 'react';
import type { OfflineState } from './offline.ts';
import { offline } from '../page/vault.ts';

const subscribe = (listener: () => void) => offline.subscribe(listener);
const getState = () => offline.getState();

export function useOffline(): OfflineState {
  return useSyncExternalStore(subscribe, getState);
}
