import { plainCode, simdCode } from '#argon2-code';
import setUp, { type computeHash } from 'argon2id/lib/setup.js';
import type { Bytes } from '../bytes.ts';
import type { Argon2id, KdfProfile } from '../kdf.ts';

interface Code {
  readonly simd: () => Bytes;
  readonly plain: () => Bytes;
}

interface Instance {
  readonly compute: computeHash;
  readonly memory: WebAssembly.Memory;
}

async function instantiate({ simd, plain }: Code): Promise<Instance> {
  let memory: WebAssembly.Memory | undefined;
  const load = async (imports: WebAssembly.Imports) => {
    memory = imports['env']?.['memory'] as WebAssembly.Memory;
    // Engines without SIMD reject the whole module.
    return WebAssembly.instantiate(simd(), imports).catch(() => WebAssembly.instantiate(plain(), imports));
  };
  const compute = await setUp(load, load);
  if (memory === undefined) throw new Error('Argon2id has no memory');
  return { compute, memory };
}

/** Works around a bound check of the package that compares bytes, not their number. */
const asNoNumber = (bytes: Bytes): Bytes =>
  Object.assign(new Uint8Array(bytes), { [Symbol.toPrimitive]: () => Number.NaN });

/**
 * Wipes the memory after each derivation. The library's own copy of the password is freed with the worker.
 */
export function argon2idOf(code: Code): Argon2id {
  let made: Promise<Instance> | undefined;
  return async (password, salt, { memoryKib, iterations, parallelism }) => {
    const { compute, memory } = await (made ??= instantiate(code));
    const own = asNoNumber(password);
    const wanted = { salt, memorySize: memoryKib, passes: iterations, parallelism, tagLength: 32 };
    try {
      const tag = compute({ ...wanted, password: own });
      const key = new Uint8Array(tag);
      tag.fill(0);
      return key;
    } finally {
      own.fill(0);
      new Uint8Array(memory.buffer).fill(0);
    }
  };
}

export const argon2idWasm: Argon2id = argon2idOf({ simd: simdCode, plain: plainCode });

/** As `argon2idWasm`, for a process that derives once: the next garbage collection frees the memory. */
export const argon2idOnce: Argon2id = (...given) => argon2idOf({ simd: simdCode, plain: plainCode })(...given);

/** Cheap, but makes the engine optimise the code. */
const WARM_UP: KdfProfile = { memoryKib: 4096, iterations: 1, parallelism: 4 };

/** Never throws; the derivation reports errors. */
export async function prepareArgon2id(): Promise<void> {
  await argon2idWasm(new Uint8Array(8), new Uint8Array(16), WARM_UP).catch(() => undefined);
}
