/**
 * Argon2id in a worker of its own, ended after each derivation: the only place that may run WebAssembly (own
 * CSP, docs/spec/threats.md W3).
 */
import type { Bytes } from '@passwordbroker/core/crypto/bytes';
import { argon2idWasm, prepareArgon2id } from '@passwordbroker/core/crypto/argon2/argon2-wasm';
import type { KdfProfile } from '@passwordbroker/core/crypto/kdf';
import type { FileDerivation } from '@passwordbroker/core/domain/exchange/file-argon2';

/** Of one's own keys, or of a file of another program. */
export type Derivation = OwnDerivation | FileDerivation;

interface OwnDerivation {
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

async function derive(derivation: Derivation): Promise<void> {
  try {
    const key = new Uint8Array(await keyOf(derivation));
    postMessage({ key } satisfies Derived, { transfer: [key.buffer] });
  } catch (failure) {
    postMessage({ failure: failure instanceof Error ? failure.message : String(failure) } satisfies Derived);
  } finally {
    derivation.password.fill(0);
  }
}

async function keyOf(derivation: Derivation): Promise<Bytes> {
  if ('profile' in derivation) return argon2idWasm(derivation.password, derivation.salt, derivation.profile);
  const { fileArgon2 } = await import('@passwordbroker/core/domain/exchange/file-argon2');
  return fileArgon2(derivation);
}
