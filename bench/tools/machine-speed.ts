/**
 * How fast this machine is now, by an Argon2id derivation. Goals in seconds are those of a reference machine with two
 * cores. Print it beside times, so that runs at different hours can be compared.
 */
import { argon2id } from 'hash-wasm';
import { KDF_PROFILES } from '../../core/src/crypto/kdf.ts';
import { percentile } from './table.ts';

/** Argon2id with profile A1 on the reference machine, by the same library. */
export const REFERENCE_MS = 279;
const ROUNDS = 3;

export interface MachineSpeed {
  /** Measures a few derivations. */
  measure(): Promise<void>;
  /** Median time of all derivations, divided by that of the reference machine. */
  slowness(): number;
}

export function watchMachineSpeed(): MachineSpeed {
  const taken: number[] = [];
  const password = new TextEncoder().encode('a password of the bench');
  const salt = new Uint8Array(16).fill(1);
  const { memoryKib: memorySize, iterations, parallelism } = KDF_PROFILES.A1;
  const derivation = { password, salt, memorySize, iterations, parallelism, hashLength: 32 };
  return {
    async measure() {
      for (let round = 0; round < ROUNDS; round += 1) {
        const started = performance.now();
        await argon2id({ ...derivation, outputType: 'binary' });
        taken.push(performance.now() - started);
      }
    },
    slowness: () => percentile(taken, 0.5) / REFERENCE_MS,
  };
}
