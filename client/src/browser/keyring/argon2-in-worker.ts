/** Argon2id for the keyring worker: each worker derives once and is ended. Password and key travel by transfer. */
import type { Argon2id } from '@passwordbroker/core/crypto/kdf';
import type { Derivation, Derived } from './derive.ts';

/** Starts a worker for the first derivation at once: a keyring that starts is about to derive a key. */
export function argon2InWorker(startWorker: () => Worker): Argon2id {
  let ready: Worker | null = startWorker();
  // A worker that failed to start would never answer.
  ready.onerror = () => {
    ready = null;
  };
  return async (password, salt, profile) => {
    const worker = ready ?? startWorker();
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
}
