/** Which second factors an account can prove. */
import type { FactorAsked } from '@passwordbroker/core/contract/account/factors';
import type { ProofMethod } from '@passwordbroker/core/contract/account/sign-in-methods';
import type { Deps } from '../../http/context.ts';
import { listSecurityKeysAnywhere } from '../../passkeys/passkey-repository.ts';
import type { UserRow } from '../../users/user-repository.ts';
import { countRecoveryCodes, findTotp } from './factor-repository.ts';

interface Ways {
  readonly methods: readonly ProofMethod[];
  readonly passkeys: FactorAsked['passkeys'];
  readonly recoveryCodesLeft: number;
}

/**
 * Without methods for an account without a factor.
 * @param isOwnPage whether a page of this site asks: other pages and programs cannot use security keys
 */
export async function waysOf(
  { db, clock, config }: Deps,
  { user_id, factor_state }: UserRow,
  { isOwnPage }: { readonly isOwnPage: boolean },
): Promise<Ways> {
  if (factor_state === 'none') return { methods: [], passkeys: { usable: 0, elsewhere: [] }, recoveryCodesLeft: 0 };
  const hasApp = factor_state === 'set' && (await findTotp(db.read, user_id)) !== undefined;
  const keys = await listSecurityKeysAnywhere(db.read, user_id);
  const usable = keys.filter(({ rp_id }) => isOwnPage && rp_id === config.rpId);
  const elsewhere = new Set(keys.filter((key) => !usable.includes(key)).map(({ rp_id }) => rp_id));
  const recoveryCodesLeft = await countRecoveryCodes(db.read, user_id, clock.now());
  const app = hasApp ? (['totp'] as const) : [];
  const passkey = usable.length > 0 ? (['passkey'] as const) : [];
  return {
    // Codes are offered without codes too: the page says who can give one.
    methods: [...app, ...passkey, 'recovery'],
    passkeys: { usable: usable.length, elsewhere: [...elsewhere] },
    recoveryCodesLeft,
  };
}
