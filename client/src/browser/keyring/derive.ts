/**
 * Argon2id in a worker of its own, ended after each derivation: the only place that may run WebAssembly (own
 * CSP, docs/spec/threats.md W3).
 */
import { argon2idWasm, prepareArgon2id } from '@passwordbroker/core/crypto/argon2/argon2-wasm';
import type { KdfProfile } from '@passwordbroker/core/crypto/kdf';

export interface Derivation {
  readonly password: Uint8Array<ArrayBuffer>;
  readonly salt: Uint8Array<ArrayBuffer>;
  readonly profile: KdfProfile;
}

export type Derived = { readonly key: Uint8Array<ArrayBuffer> } | { readonly failure: string };

export function serveDerivations(): void {
  void prepareArgon2id();
  addEventListener('message', ({ data }: MessageEvent<Derivation>) => {
    void derive(data);
  });
}

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
