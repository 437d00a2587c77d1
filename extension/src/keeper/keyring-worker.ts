/** The isolated context that holds all keys. */
import { serveKeyring } from '@passwordbroker/client/browser/keyring/serve-keyring';
import { ownWorkers } from '@passwordbroker/client/browser/trusted-worker';
import type { Port } from '@passwordbroker/client/platform';

const KDF_WORKER = '/kdf-worker.js';
const own = ownWorkers([KDF_WORKER]);

serveKeyring(self as unknown as Port, {
  startKdfWorker: () => own.start(KDF_WORKER, 'kdf'),
  browser: navigator.userAgent.includes('Firefox/') ? 'Firefox extension' : 'Chrome extension',
  load: (_name, importer) => importer(),
});
