import type { SessionFactor } from '@passwordbroker/core/contract/account/sign-in-methods';
import type { Transact } from '../../db/database.ts';

declare const BRAND: unique symbol;

/** A second factor that was proven in this request; each kind of proof makes it with `provenFactor`. */
export interface ProvenFactor {
  readonly [BRAND]: true;
  readonly userId: string;
  readonly kind: SessionFactor;
  /**
   * Call in the transaction that the proof is for: uses it up, so that it works once.
   * @throws AppError `second_factor_invalid` if another request has used it
   */
  readonly spend: (tx: Transact) => Promise<void>;
  /** Call after the commit: sets cookies. */
  readonly handOut: () => void;
}

export const provenFactor = (parts: Omit<ProvenFactor, typeof BRAND>): ProvenFactor => parts as ProvenFactor;
