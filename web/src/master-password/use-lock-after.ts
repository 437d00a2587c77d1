import { useSyncExternalStore } from 'react';
import { lockAfter } from '../page/vault.ts';

/** After how many idle minutes the vault locks here, and what the site admits at most. */
export function useLockAfter(): { readonly minutes: number; readonly most: number } {
  return {
    minutes: useSyncExternalStore(lockAfter.onChange, lockAfter.minutes),
    most: useSyncExternalStore(lockAfter.onChange, lockAfter.most),
  };
}
