/**
 * How fast this machine is at the moment. Goals in seconds are those of one machine with two cores; where the very same derivation of a key takes half as long
 * again as it took there, seconds do. Whoever prints a time prints the pace, too, so that runs of different hours can be told apart.
 */
import { argon2id } from 'hash-wasm';
import { KDF_PROFILES } from '../core/src/crypto/kdf.ts';
import { percentile } from './table.ts';

/** What Argon2id of the profile A1 took on the machine whose seconds the goals are in, by the very library that is measured with here. */
export const REFERENCE_MS = 279;
const ROUNDS = 3;

export interface Pace {
  /** Derives a few more times. */
  look(): Promise<void>;
  /** How many times slower than the reference this machine was, over all looks. */
  slowness(): number;
}

export function watchPace(): Pace {
  const taken: number[] = [];
  const password = new TextEncoder().encode('a password of the bench');
  const salt = new Uint8Array(16).fill(1);
  const { memoryKib: memorySize, iterations, parallelism } = KDF_PROFILES.A1;
  const derivation = { password, salt, memorySize, iterations, parallelism, hashLength: 32 };
  return {
    async look() {
      for (let round = 0; round < ROUNDS; round += 1) {
        const started = performance.now();
        await argon2id({ ...derivation, outputType: 'binary' });
        taken.push(performance.now() - started);
      }
    },
    slowness: () => percentile(taken, 0.5) / REFERENCE_MS,
  };
}
