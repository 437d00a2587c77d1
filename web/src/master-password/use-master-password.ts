/** The master password of this page for components. */
import { createContext, use, useSyncExternalStore } from 'react';
import { keyring } from '../keyring/keyring.ts';
import { createMasterPassword, type MasterPassword, type MasterPasswordView } from './master-password.ts';

export const MasterPasswordContext = createContext<MasterPassword>(createMasterPassword(keyring));

/** Stable: never the reason for a new rendering. */
export function useMasterPassword(): MasterPassword {
  return use(MasterPasswordContext);
}

export function useMasterPasswordView(): MasterPasswordView {
  const masterPassword = useMasterPassword();
  return useSyncExternalStore(masterPassword.subscribe, masterPassword.view);
}
