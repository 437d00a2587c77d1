import { createContext, use, useSyncExternalStore } from 'react';
import { masterPassword } from '../page/vault.ts';
import type { MasterPassword, MasterPasswordView } from '@passwordbroker/client/master-password/master-password';

export const MasterPasswordContext = createContext<MasterPassword>(masterPassword);

export function useMasterPassword(): MasterPassword {
  return use(MasterPasswordContext);
}

export function useMasterPasswordView(): MasterPasswordView {
  const masterPassword = useMasterPassword();
  return useSyncExternalStore(masterPassword.subscribe, masterPassword.view);
}
