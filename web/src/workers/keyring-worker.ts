import { serveKeyring } from '@passwordbroker/client/browser/keyring/serve-keyring';
import type { Port } from '@passwordbroker/client/platform';
import { browserName } from '../account/browser-name.ts';
import { loadChunk } from '../lib/chunk.ts';
import { startKdfWorker } from './keyring-workers.ts';

serveKeyring(self as unknown as Port, {
  startKdfWorker,
  browser: browserName(navigator.userAgent) ?? undefined,
  load: loadChunk,
});
