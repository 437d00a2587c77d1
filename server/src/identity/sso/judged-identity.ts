import type { ProviderSession } from '../../http/context.ts';
import type { UserRow } from '../../users/user-repository.ts';

declare const BRAND: unique symbol;

/** An account that an identity provider has named by its link; `callback.ts` makes it alone. */
export interface JudgedIdentity {
  readonly [BRAND]: true;
  readonly user: UserRow;
  readonly provider: ProviderSession;
  /** The provider asked for a second factor, and the site trusts it. */
  readonly hasProvenFactor: boolean;
}

export const judgedIdentity = (parts: Omit<JudgedIdentity, typeof BRAND>): JudgedIdentity => parts as JudgedIdentity;
