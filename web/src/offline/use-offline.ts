/** The local copy for components. */
import { useSyncExternalStore } from 'react';
import { offline, type OfflineState } from './offline.ts';

const subscribe = (listener: () => void) => offline.subscribe(listener);
const getState = () => offline.getState();

export function useOffline(): OfflineState {
  return useSyncExternalStore(subscribe, getState);
}
