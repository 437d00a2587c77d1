/** Argon2 0x13 with the numbers that a file of another program names. */
import { argon2d, argon2id } from 'hash-wasm';
import type { Bytes } from '../../crypto/bytes.ts';

export interface FileDerivation {
  readonly type: 'argon2d' | 'argon2id';
  readonly password: Bytes;
  /** At least 8 bytes. */
  readonly salt: Bytes;
  readonly memoryKib: number;
  readonly iterations: number;
  readonly parallelism: number;
  /** Bytes of the key. */
  readonly length: number;
}

/** The caller has checked the numbers: they decide about memory and time. @throws Error for numbers that Argon2 does not know */
export type FileArgon2 = (derivation: FileDerivation) => Promise<Bytes>;

/** Only where WebAssembly may run: in Node, and in the worker that derives keys. */
export const fileArgon2: FileArgon2 = async ({ type, memoryKib, length, ...rest }) => {
  const derive = { argon2d, argon2id }[type];
  return new Uint8Array(await derive({ ...rest, memorySize: memoryKib, hashLength: length, outputType: 'binary' }));
};
