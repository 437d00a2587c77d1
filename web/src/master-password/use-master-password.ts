/** The master password of this page for components. */
import { useSyncExternalStore } from 'react';
import { keyring } from '../keyring/keyring.ts';
import { createMasterPassword, type MasterPassword, type MasterPasswordView } from './master-password.ts';

/** The one of this page. */
export const masterPassword: MasterPassword = createMasterPassword(keyring);

/** Stable: never the reason for a new rendering. */
export function useMasterPassword(): MasterPassword {
  return masterPassword;
}

export function useMasterPasswordView(): MasterPasswordView {
  return useSyncExternalStore(masterPassword.subscribe, masterPassword.view);
}
