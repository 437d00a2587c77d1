/** Starts the worker that holds the keys. */
import { trustedWorker } from '../lib/trusted-worker.ts';
import workerUrl from './worker.ts?worker&url';

export function startKeyringWorker(): Worker {
  return trustedWorker(workerUrl, 'keyring');
}
