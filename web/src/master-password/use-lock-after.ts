import { useSyncExternalStore } from 'react';
import { lockAfter } from '../page/vault.ts';

/** Idle minutes until the vault locks in this browser, and the site's maximum. */
export function useLockAfter(): { readonly minutes: number; readonly most: number } {
  return {
    minutes: useSyncExternalStore(lockAfter.onChange, lockAfter.minutes),
    most: useSyncExternalStore(lockAfter.onChange, lockAfter.most),
  };
}
