/** Proofs of an open keyring (docs/spec/crypto.md §15). */
import type { AppError } from '@passwordbroker/core/contract/problem';

const PROOF_HEADER = 'X-PB-Proof';

export interface ToProve {
  readonly method: string;
  /** Request target with query, as sent. */
  readonly path: string;
  readonly body: string;
  /** Server time in milliseconds. */
  readonly now: number;
}

/** Returns the header's value. @throws KeyringError 'locked' */
export type Prover = (request: ToProve) => Promise<string>;

export function createProofs(now: () => number = Date.now) {
  let prover: Prover | null = null;
  let offset = 0;
  return {
    setProver(next: Prover) {
      prover = next;
    },
    async headerFor(request: Omit<ToProve, 'now'>): Promise<Record<string, string>> {
      if (prover === null) throw new Error('No prover registered');
      return { [PROOF_HEADER]: await prover({ ...request, now: now() + offset }) };
    },
    /** Learns the offset from a refusal. @returns whether to retry */
    learnClock({ code, details }: AppError): boolean {
      const seconds = details?.['server_time'];
      if (code !== 'proof_expired' || typeof seconds !== 'number') return false;
      offset = seconds * 1000 - now();
      return true;
    },
  };
}
