import strengthWorker from '../identity/passwords/strength-worker.ts?worker&url';
import keyringWorker from './keyring-worker.ts?worker&url';
import { ownWorkers } from '@passwordbroker/client/browser/trusted-worker';

const SERVICE_WORKER = '/service-worker.js';
const own = ownWorkers([keyringWorker, strengthWorker, SERVICE_WORKER]);

export const startKeyringWorker = (): Worker => own.start(keyringWorker, 'keyring');
export const startStrengthWorker = (): Worker => own.start(strengthWorker, 'strength');
export const registerServiceWorker = () => own.register(SERVICE_WORKER);
