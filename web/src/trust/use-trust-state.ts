import { useCallback, useSyncExternalStore } from 'react';
import type { AccountTrust, GroupTrustDetails } from '@passwordbroker/client/vault/trust/trust';
import { useVault } from '../vault/use-vault.ts';

const noListener = () => () => undefined;

/** Undefined until the group is opened after the unlock. */
export function useGroupTrust(groupId: string): GroupTrustDetails | undefined {
  const { trust } = useVault();
  const subscribe = useCallback((listener: () => void) => trust?.subscribe(listener) ?? noListener(), [trust]);
  return useSyncExternalStore(subscribe, () => trust?.details(groupId));
}

/** Undefined until unlocked. */
export function useAccountTrust(): AccountTrust | undefined {
  const { trust } = useVault();
  const subscribe = useCallback((listener: () => void) => trust?.subscribe(listener) ?? noListener(), [trust]);
  return useSyncExternalStore(subscribe, () => trust?.account());
}
