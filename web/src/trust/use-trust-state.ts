import { useCallback, useSyncExternalStore } from 'react';
import type { AccountTrust, GroupTrustDetails } from '@passwordbroker/client/vault/trust/trust';
import { useVault, useWhyNot } from '../vault/use-vault.ts';
import type { GroupTrust } from '@passwordbroker/core/domain/trust/judge-group';
import { TRUST_TEXTS as TEXTS } from '../texts/groups/trust.ts';

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

/** Null: writing in the group is possible, perhaps after a question. */
export function useGroupWhyNot(groupId: string): string | null {
  const offline = useWhyNot();
  const details = useGroupTrust(groupId);
  return offline ?? whyGroupForbids(details?.trust);
}

function whyGroupForbids(trust: GroupTrust | undefined): string | null {
  if (trust === undefined || trust.state === 'confirmed') return null;
  if (trust.state !== 'unconfirmed') return TEXTS.whyNot[trust.state];
  return trust.why === 'no-proof' ? TEXTS.whyNot['no-proof'] : null;
}
