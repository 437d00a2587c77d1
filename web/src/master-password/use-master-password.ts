/** The master password of this page for components. */
import { createContext, use, useSyncExternalStore } from 'react';
import { keyring } from '../keyring/keyring.ts';
import { session } from '../session/session.ts';
import { trustQuestions } from '../trust/questions/trust-questions.ts';
import { forgetWithSession } from './forget-with-session.ts';
import { createMasterPassword, type MasterPassword, type MasterPasswordView } from './master-password.ts';
import { weakMasterPassword } from './weak-master-password.ts';

const masterPassword = createMasterPassword(keyring, {
  onEntered: (entered) => void weakMasterPassword.judge(entered),
  ask: trustQuestions.ask,
});
forgetWithSession(masterPassword, session);
forgetWithSession({ forget: trustQuestions.cancel }, session);

export const MasterPasswordContext = createContext<MasterPassword>(masterPassword);

/** Stable: never the reason for a new rendering. */
export function useMasterPassword(): MasterPassword {
  return use(MasterPasswordContext);
}

export function useMasterPasswordView(): MasterPasswordView {
  const masterPassword = useMasterPassword();
  return useSyncExternalStore(masterPassword.subscribe, masterPassword.view);
}
