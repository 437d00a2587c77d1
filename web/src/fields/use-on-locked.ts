/** Tells when the vault that was open is locked: what was typed into a dialog must not stay in sight behind the lock. */
import { useEffect, useRef } from 'react';
import { useMasterPassword } from '../master-password/use-master-password.ts';

/** @param onLocked once for each lock; never while nothing has been opened yet, whatever becomes of a master password that is tried */
export function useOnLocked(onLocked: () => void): void {
  const masterPassword = useMasterPassword();
  const listener = useRef(onLocked);
  useEffect(() => {
    listener.current = onLocked;
  }, [onLocked]);
  useEffect(() => {
    let wasOpen = masterPassword.isRemembered();
    return masterPassword.subscribe(() => {
      const isOpen = masterPassword.isRemembered();
      const isLocked = wasOpen && !isOpen;
      wasOpen = isOpen;
      if (isLocked) listener.current();
    });
  }, [masterPassword]);
}
