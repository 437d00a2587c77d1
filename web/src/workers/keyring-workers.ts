/**
 * Workers that the keyring worker starts: one derives a key and ends, one seals during an import.
 */
import kdfWorker from '../keyring/kdf-worker.ts?worker&url';
import sealWorker from '../keyring/seal-worker.ts?worker&url';
import { ownWorkers } from '../lib/trusted-worker.ts';

const own = ownWorkers([kdfWorker, sealWorker]);

export const startKdfWorker = (): Worker => own.start(kdfWorker, 'kdf');
export const startSealWorker = (): Worker => own.start(sealWorker, 'seal');
