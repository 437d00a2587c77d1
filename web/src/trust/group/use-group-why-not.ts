import type { GroupTrust } from '@passwordbroker/core/domain/trust/judge-group';
import { TRUST_TEXTS as TEXTS } from '../../texts/groups/trust.ts';
import { useWhyNot } from '../../vault/use-vault.ts';
import { useGroupTrust } from '../use-trust-state.ts';

/** Why nothing can be written in a group now; null: writing is possible, perhaps after a question. */
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
