import type { Kdf } from '@passwordbroker/core/crypto/kdf';
import { fileArgon2 } from '@passwordbroker/core/domain/exchange/file-argon2';
import type { CopyStore } from '../keyring/copy/copy-store.ts';
import { keyringInProcess } from '../keyring/keyring-in-process.ts';
import { createServices } from '../keyring/services.ts';
import type { DeviceStore } from '../keyring/trust/own-copy.ts';
import type { KeyringWorker } from '../platform.ts';
import { copiesInMemory } from './copies-in-memory.ts';
import { deviceStoreInMemory } from './device-store-in-memory.ts';
import { loadNow } from './load-now.ts';

/** @param deviceStore the device's store; by default each worker has a new one */
export const workerInProcess = (
  kdf: Kdf,
  deviceStore: DeviceStore = deviceStoreInMemory(),
  copies: CopyStore = copiesInMemory(),
): KeyringWorker =>
  keyringInProcess(
    createServices({ kdf, deriveForFile: () => fileArgon2, deviceStore, openCopies: () => copies, load: loadNow }),
  );
