/** The worker that holds all keys; no other part of the client has access. */
import * as z from 'zod/mini';
import { DEFAULT_KDF, KDF_PROFILES } from '@passwordbroker/core/crypto/kdf';
import { describeFailure } from '../../keyring/describe-failure.ts';
import { serve, type Port } from '../../keyring/remote.ts';
import { createServices } from '../../keyring/services.ts';
import type { Load } from '../../load.ts';
import { argon2InWorker } from './argon2-in-worker.ts';
import { openDeviceStore } from './idb-device-store.ts';

interface Means {
  readonly startKdfWorker: () => Worker;
  /** As people know it: 'Firefox on Linux'. */
  readonly browser: string | undefined;
  readonly load: Load;
}

export function serveKeyring(port: Port, { startKdfWorker, browser, load }: Means): void {
  // Without this zod probes `new Function`, which a strict CSP reports.
  z.config({ jitless: true });
  const services = createServices({
    kdf: { profiles: KDF_PROFILES, defaultProfile: DEFAULT_KDF, argon2id: argon2InWorker(startKdfWorker) },
    shelf: openDeviceStore(),
    openCopies: async () => (await load('copy-store', () => import('./idb-copy-store.ts'))).openCopyStore(),
    load,
    ...(browser === undefined ? {} : { browser }),
  });
  serve(port, services, describeFailure);
}
