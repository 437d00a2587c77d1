/** Argon2id for the keyring worker: a worker is started, derives once, and is ended. Password and key travel by transfer. */
import type { Argon2id } from '@passwordbroker/core/crypto/kdf';
import type { Derivation, Derived } from './kdf-worker.ts';
import { startKdfWorker } from '../workers/keyring-workers.ts';

/** For the first derivation. */
let ready: Worker | null = null;

/** Whoever starts the keyring is about to derive a key: the worker for it starts at the same time. */
export function startDerivingEarly(): void {
  const started = startKdfWorker();
  ready = started;
  // One that did not come to life would answer nobody.
  started.onerror = () => {
    if (ready === started) ready = null;
  };
}

export const argon2InWorker: Argon2id = async (password, salt, profile) => {
  const worker = ready ?? startKdfWorker();
  ready = null;
  try {
    return await new Promise<Uint8Array<ArrayBuffer>>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<Derived>) => {
        if ('key' in data) resolve(data.key);
        else reject(new Error(data.failure));
      };
      worker.onerror = (event) => reject(new Error(event.message || 'The key derivation could not start'));
      const derivation: Derivation = { password: new Uint8Array(password), salt: new Uint8Array(salt), profile };
      worker.postMessage(derivation, [derivation.password.buffer, derivation.salt.buffer]);
    });
  } finally {
    worker.terminate();
  }
};
