/** A device without a browser: all storage is in memory, and the server runs in the same process. */
import { TEST_KDF } from '@passwordbroker/core/testing/test-kdf';
import type { TestClient } from '../../../server/src/testing/test-client.ts';
import type { Platform } from '../platform.ts';
import { inProcess } from './in-process.node.ts';
import { loadNow } from './load-now.ts';
import { onlyTab } from './tabs-of-one-browser.ts';
import { workerInProcess } from './worker-in-process.ts';

/** @param person has the cookies of this device */
export function platformInMemory(person: TestClient): Platform {
  const plain = new Map<string, string>();
  return {
    ...inProcess(person),
    face: 'web',
    origin: '',
    plain: () => ({
      getItem: (key) => plain.get(key) ?? null,
      setItem: (key, value) => void plain.set(key, value),
      removeItem: (key) => void plain.delete(key),
    }),
    openTokens: () => Promise.reject(new Error('no other servers here')),
    copies: null,
    startKeyring: () => workerInProcess(TEST_KDF),
    tabs: onlyTab(),
    watchPresence: () => undefined,
    exclusive: (_name, work) => work(),
    load: loadNow,
  };
}
