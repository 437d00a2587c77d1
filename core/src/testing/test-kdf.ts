/** A fast KDF for tests. `T0` exists here alone: the product's table does not know it (`crypto.md` §5). */
import { argon2idWasm } from '../crypto/argon2-wasm.ts';
import type { Kdf } from '../crypto/kdf.ts';

export const TEST_KDF: Kdf = {
  profiles: { T0: { memoryKib: 8192, iterations: 1, parallelism: 1 } },
  defaultProfile: 'T0',
  argon2id: argon2idWasm,
};
