/** A fast KDF for tests. `T0` exists here alone: the product's table does not know it (docs/spec/crypto.md §5). */
import { argon2idWasm } from '../crypto/argon2/argon2-wasm.ts';
import { encodeHex } from '../crypto/bytes.ts';
import type { Argon2id, Kdf } from '../crypto/kdf.ts';

/** Caches derivations, because tests unlock the same people repeatedly. */
const derived = new Map<string, ReturnType<Argon2id>>();

const argon2idOnce: Argon2id = async (password, salt, profile) => {
  const name = [encodeHex(password), encodeHex(salt), ...Object.values(profile)].join(' ');
  const derivation = derived.get(name) ?? argon2idWasm(password, salt, profile);
  derived.set(name, derivation);
  // A copy, because callers wipe it.
  return (await derivation).slice();
};

export const TEST_KDF: Kdf = {
  profiles: { T0: { memoryKib: 8192, iterations: 1, parallelism: 1 } },
  defaultProfile: 'T0',
  argon2id: argon2idOnce,
};
