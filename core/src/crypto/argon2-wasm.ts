/** Argon2id in WebAssembly: the browser's KDF worker, and wherever no native one is at hand. */
import { argon2id } from 'hash-wasm';
import type { Argon2id } from './kdf.ts';

export const argon2idWasm: Argon2id = async (password, salt, profile) =>
  new Uint8Array(
    await argon2id({
      password,
      salt,
      memorySize: profile.memoryKib,
      iterations: profile.iterations,
      parallelism: profile.parallelism,
      hashLength: 32,
      outputType: 'binary',
    }),
  );
