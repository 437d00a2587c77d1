/**
 * Opens the key of the group that is looked at, as soon as the vault is unlocked: whatever is wrong with its signed list of members, or with its key, is seen before
 * anything of the group is used.
 */
import { useEffect, useSyncExternalStore } from 'react';
import { useMasterPassword } from '../master-password/use-master-password.ts';
import { useGroupTrust } from '../trust/use-trust-state.ts';
import { useVault } from '../vault/use-vault.ts';

export function useExaminedGroup(groupId: string): void {
  const { read } = useVault();
  const masterPassword = useMasterPassword();
  const isUnlocked = useSyncExternalStore(masterPassword.subscribe, masterPassword.isRemembered);
  // What was known of it ends when another browser's decisions arrive, or its list has changed: then it is looked at again.
  const isKnown = useGroupTrust(groupId) !== undefined;
  useEffect(() => {
    if (!isUnlocked || isKnown) return undefined;
    const stop = new AbortController();
    // What was found is kept with the memberships; what could not be asked is told by the act that needs it.
    read.examine(groupId, stop.signal).catch(() => undefined);
    return () => stop.abort();
  }, [read, groupId, isUnlocked, isKnown]);
}
