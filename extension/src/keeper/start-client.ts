/** The client engine in the page without a window: tokens instead of cookies, no local copies. */
import { openTokenRecords } from '@passwordbroker/client/browser/token-records';
import { ownWorkers } from '@passwordbroker/client/browser/trusted-worker';
import { type Client, createClient } from '@passwordbroker/client/client';
import type { Presence } from '@passwordbroker/client/platform';
import { exchangeByToken } from '@passwordbroker/client/transport/token-exchange';

const KEYRING_WORKER = '/keyring-worker.js';

export interface KeeperClient extends Client {
  /** Counts as use: the idle time begins anew. */
  readonly touch: () => void;
  /** Locks if the idle time is over, or the computer slept. */
  readonly look: () => void;
  /** The server refused this version. Reset by `forgetAge`. */
  readonly isTooOld: () => boolean;
  readonly forgetAge: () => void;
}

/** In Chromium this page has no storage of the extension API, so it keeps its settings in its own `localStorage`. */
const plain = () => localStorage;

export function startClient(): KeeperClient {
  const own = ownWorkers([KEYRING_WORKER]);
  let presence: Presence | null = null;
  let isTooOld = false;
  const client = createClient({
    face: 'extension',
    origin: '',
    async exchange(outgoing) {
      const incoming = await exchangeByToken(outgoing);
      if (incoming.status === 409 && new TextDecoder().decode(incoming.bytes).includes('"client_too_old"'))
        isTooOld = true;
      return incoming;
    },
    cookies: null,
    plain,
    openTokens: async () => openTokenRecords(plain),
    copies: null,
    // The only client of this extension.
    tabs: { tell: () => undefined, listen: () => undefined },
    load: (_name, importer) => importer(),
    startKeyring: () => own.start(KEYRING_WORKER, 'keyring'),
    watchPresence: (given) => {
      presence = given;
    },
    exclusive: (_name, work) => work(),
  });
  return {
    ...client,
    touch: () => presence?.onActivity(),
    look: () => presence?.onReturn(),
    isTooOld: () => isTooOld,
    forgetAge: () => {
      isTooOld = false;
    },
  };
}
