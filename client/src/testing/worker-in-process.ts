/**
 * The keyring's worker without a browser: the same services behind a message channel, so messages are still
 * cloned.
 */
import type { Kdf } from '@passwordbroker/core/crypto/kdf';
import { fileArgon2 } from '@passwordbroker/core/domain/exchange/file-argon2';
import type { CopyStore } from '../keyring/copy/copy-store.ts';
import { describeFailure } from '../keyring/describe-failure.ts';
import type { KeyringWorker } from '../platform.ts';
import { serve } from '../keyring/remote.ts';
import { createServices } from '../keyring/services.ts';
import { copiesInMemory } from './copies-in-memory.ts';
import { loadNow } from './load-now.ts';
import { deviceStoreInMemory } from './device-store-in-memory.ts';
import type { DeviceStore } from '../keyring/trust/own-copy.ts';

/** @param deviceStore the device's store; by default each worker has a new one */
export function workerInProcess(
  kdf: Kdf,
  deviceStore: DeviceStore = deviceStoreInMemory(),
  copies: CopyStore = copiesInMemory(),
): KeyringWorker {
  const { port1, port2 } = new MessageChannel();
  serve(
    port2,
    createServices({ kdf, deriveForFile: () => fileArgon2, deviceStore, openCopies: () => copies, load: loadNow }),
    describeFailure,
  );
  return {
    postMessage: (message, transfer = []) => port1.postMessage(message, transfer),
    set onmessage(listener: ((event: MessageEvent) => void) | null) {
      port1.onmessage = listener;
    },
    get onmessage() {
      return port1.onmessage;
    },
    terminate() {
      port1.close();
      port2.close();
    },
    onerror: null,
    onmessageerror: null,
  };
}
