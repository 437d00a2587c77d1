/** Runs the worker that holds all keys; no other part of the client has access. */
import * as z from 'zod/mini';
import { DEFAULT_KDF, KDF_PROFILES, type Argon2id } from '@passwordbroker/core/crypto/kdf';
import { describeFailure } from '../../keyring/describe-failure.ts';
import type { Load, Port } from '../../platform.ts';
import { serve } from '../../keyring/remote.ts';
import { createServices } from '../../keyring/services.ts';
import { openDeviceStore } from './idb-device-store.ts';
import type { Derivation, Derived } from './derive.ts';

interface Means {
  readonly startKdfWorker: () => Worker;
  /** Shown to people: 'Firefox on Linux'. */
  readonly browser: string | undefined;
  readonly load: Load;
}

export function serveKeyring(port: Port, { startKdfWorker, browser, load }: Means): void {
  // Without this zod probes `new Function`, which a strict CSP reports.
  z.config({ jitless: true });
  const services = createServices({
    kdf: { profiles: KDF_PROFILES, defaultProfile: DEFAULT_KDF, argon2id: argon2InWorker(startKdfWorker) },
    deriveForFile: (signal) => (derivation) => {
      const { password, salt } = derivation;
      const own = { ...derivation, password: new Uint8Array(password), salt: new Uint8Array(salt) };
      return deriveIn(startKdfWorker(), own, signal);
    },
    deviceStore: openDeviceStore(),
    openCopies: async () => (await load('copy-store', () => import('./idb-copy-store.ts'))).openCopyStore(),
    load,
    ...(browser === undefined ? {} : { browser }),
  });
  serve(port, services, describeFailure);
}

/** Starts the first worker at once, because a new keyring derives a key first. */
function argon2InWorker(startWorker: () => Worker): Argon2id {
  let ready: Worker | null = startWorker();
  // A worker that failed to start would never answer.
  ready.onerror = () => {
    ready = null;
  };
  return async (password, salt, profile) => {
    const worker = ready ?? startWorker();
    ready = null;
    return deriveIn(worker, { password: new Uint8Array(password), salt: new Uint8Array(salt), profile });
  };
}

/** Ends the worker. @throws the signal's reason */
async function deriveIn(
  worker: Worker,
  derivation: Derivation,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await new Promise((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<Derived>) => {
        if ('key' in data) resolve(data.key);
        else reject(new Error(data.failure));
      };
      worker.onerror = (event) => reject(new Error(event.message || 'The key derivation could not start'));
      signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      worker.postMessage(derivation, [derivation.password.buffer, derivation.salt.buffer]);
    });
  } finally {
    worker.terminate();
  }
}
