/** Argon2id in WebAssembly: the browser's KDF worker, and tests. With 128-bit instructions, where the engine has them, it takes a quarter less. */
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
    // An engine that does not know the instructions refuses the whole code.
    return WebAssembly.instantiate(simd(), imports).catch(() => WebAssembly.instantiate(plain(), imports));
  };
  const compute = await setUp(load, load);
  if (memory === undefined) throw new Error('Argon2id has no memory');
  return { compute, memory };
}

/** The package holds the bytes themselves against its bounds, where it means their number: of a password of one byte it would refuse the smallest eight. */
const asNoNumber = (bytes: Bytes): Bytes =>
  Object.assign(new Uint8Array(bytes), { [Symbol.toPrimitive]: () => Number.NaN });

/**
 * One instance, made with its first use; what a derivation leaves in its memory is wiped, all of it. What the library holds beside that (the text that is hashed first, with
 * the password in it) is gone with the worker, which ends after each derivation.
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

/** Little work, and yet what the first derivation would wait for besides: its code is compiled, and compiled well. The wipe behind it brings all of the memory at hand. */
const FIRST_STEPS: KdfProfile = { memoryKib: 4096, iterations: 1, parallelism: 4 };

/** For whoever derives a key soon. Where it cannot be done, the derivation says why. */
export async function prepareArgon2id(): Promise<void> {
  await argon2idWasm(new Uint8Array(8), new Uint8Array(16), FIRST_STEPS).catch(() => undefined);
}
