/** Started by the keyring worker; derives one key and ends. */
import kdfWorker from './kdf-worker.ts?worker&url';
import { ownWorkers } from '@passwordbroker/client/browser/trusted-worker';

const own = ownWorkers([kdfWorker]);

export const startKdfWorker = (): Worker => own.start(kdfWorker, 'kdf');
