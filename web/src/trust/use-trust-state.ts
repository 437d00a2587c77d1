/** Hooks for the trust of a group and the account's trust record. */
import { useCallback, useSyncExternalStore } from 'react';
import type { AccountTrust, GroupTrustDetails } from '../vault/trust.ts';
import { useVault } from '../vault/use-vault.ts';

const noListener = () => () => undefined;

/** Undefined: the group was not opened since the unlock. */
export function useGroupTrust(groupId: string): GroupTrustDetails | undefined {
  const { trust } = useVault();
  const subscribe = useCallback((listener: () => void) => trust?.subscribe(listener) ?? noListener(), [trust]);
  return useSyncExternalStore(subscribe, () => trust?.details(groupId));
}

/** Undefined: not unlocked yet. */
export function useAccountTrust(): AccountTrust | undefined {
  const { trust } = useVault();
  const subscribe = useCallback((listener: () => void) => trust?.subscribe(listener) ?? noListener(), [trust]);
  return useSyncExternalStore(subscribe, () => trust?.account());
}
