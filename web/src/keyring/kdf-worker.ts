/**
 * Argon2id in a worker of its own, ended after each derivation: the only place where WebAssembly may run (its answer carries its own
 * Content-Security-Policy, threats-and-tests W3).
 */
import { argon2idWasm } from '@passwordbroker/core/crypto/argon2-wasm';
import type { KdfProfile } from '@passwordbroker/core/crypto/kdf';

export interface Derivation {
  readonly password: Uint8Array<ArrayBuffer>;
  readonly salt: Uint8Array<ArrayBuffer>;
  readonly profile: KdfProfile;
}

/** The key, or why there is none. */
export type Derived = { readonly key: Uint8Array<ArrayBuffer> } | { readonly failure: string };

/** Little work, and yet what the first derivation would wait for besides: its code is compiled, and compiled well. */
const FIRST_STEPS: KdfProfile = { memoryKib: 1024, iterations: 1, parallelism: 4 };
// Where it cannot be done, the derivation says why.
argon2idWasm(new Uint8Array(8), new Uint8Array(16), FIRST_STEPS).catch(() => undefined);

addEventListener('message', ({ data }: MessageEvent<Derivation>) => {
  void derive(data);
});

async function derive({ password, salt, profile }: Derivation): Promise<void> {
  try {
    const key = new Uint8Array(await argon2idWasm(password, salt, profile));
    postMessage({ key } satisfies Derived, { transfer: [key.buffer] });
  } catch (failure) {
    postMessage({ failure: failure instanceof Error ? failure.message : String(failure) } satisfies Derived);
  } finally {
    password.fill(0);
  }
}
