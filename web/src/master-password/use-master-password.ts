import { createContext, use, useSyncExternalStore } from 'react';
import { masterPassword, lockAfter } from '../page/vault.ts';
import type { MasterPassword, MasterPasswordView } from '@passwordbroker/client/master-password/master-password';

export const MasterPasswordContext = createContext<MasterPassword>(masterPassword);

export function useMasterPassword(): MasterPassword {
  return use(MasterPasswordContext);
}

export function useMasterPasswordView(): MasterPasswordView {
  const masterPassword = useMasterPassword();
  return useSyncExternalStore(masterPassword.subscribe, masterPassword.view);
}

/** Idle minutes until the vault locks, and the site's maximum. */
export function useLockAfter(): { readonly minutes: number; readonly most: number } {
  return {
    minutes: useSyncExternalStore(lockAfter.onChange, lockAfter.minutes),
    most: useSyncExternalStore(lockAfter.onChange, lockAfter.most),
  };
}
