/** Which second factors an account can prove. */
import type { ProofMethod } from '@passwordbroker/core/contract/account/sign-in-methods';
import type { Deps } from '../../http/context.ts';
import type { UserRow } from '../../users/user-repository.ts';
import { countRecoveryCodes, findTotp } from './factor-repository.ts';

interface Ways {
  readonly methods: readonly ProofMethod[];
  readonly recoveryCodesLeft: number;
}

/** Without methods for an account without a factor. */
export async function waysOf({ db, clock }: Deps, { user_id, factor_state }: UserRow): Promise<Ways> {
  if (factor_state === 'none') return { methods: [], recoveryCodesLeft: 0 };
  const hasApp = factor_state === 'set' && (await findTotp(db.read, user_id)) !== undefined;
  const recoveryCodesLeft = await countRecoveryCodes(db.read, user_id, clock.now());
  // Offered without codes too: the page says who can give one.
  return { methods: [...(hasApp ? (['totp'] as const) : []), 'recovery'], recoveryCodesLeft };
}
