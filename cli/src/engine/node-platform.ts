/** The client engine in a Node process: keys in this process, tokens instead of cookies, no local copies. */
import { argon2idWasm } from '@passwordbroker/core/crypto/argon2/argon2-wasm';
import { DEFAULT_KDF, type Kdf, KDF_PROFILES } from '@passwordbroker/core/crypto/kdf';
import { type Client, createClient } from '@passwordbroker/client/client';
import { describeFailure } from '@passwordbroker/client/keyring/describe-failure';
import type { DeriveForFile } from '@passwordbroker/client/keyring/imports/import-services';
import { serve } from '@passwordbroker/client/keyring/remote';
import { createServices } from '@passwordbroker/client/keyring/services';
import type { KeyringWorker, Load, Presence } from '@passwordbroker/client/platform';
import { exchange } from '@passwordbroker/client/transport/exchange';
import type { StateFolder } from './state-folder.ts';

const KDF: Kdf = { profiles: KDF_PROFILES, defaultProfile: DEFAULT_KDF, argon2id: argon2idWasm };

/** Its code loads with the first file that needs it. */
const deriveForFile: DeriveForFile = () => async (derivation) => {
  const { fileArgon2 } = await import('@passwordbroker/core/domain/exchange/file-argon2');
  return fileArgon2(derivation);
};

const load: Load = (_name, importer) => importer();

export interface NodeClient extends Client {
  /** Counts as use: the idle time begins anew. */
  readonly touch: () => void;
}

export function createNodeClient({ plain, tokens, deviceStore }: StateFolder): NodeClient {
  let presence: Presence | null = null;
  const client = createClient({
    origin: '',
    exchange,
    cookies: null,
    plain: () => plain,
    openTokens: async () => tokens,
    copies: null,
    tabs: { tell: () => undefined, listen: () => undefined },
    load,
    startKeyring: () => keyringInProcess(deviceStore),
    watchPresence: (given) => {
      presence = given;
    },
    exclusive: (_name, work) => work(),
  });
  return { ...client, touch: () => presence?.onActivity() };
}

/** The agent is the isolated context; the channel keeps the engine's rule that keys do not pass. */
function keyringInProcess(deviceStore: StateFolder['deviceStore']): KeyringWorker {
  const { port1, port2 } = new MessageChannel();
  const openCopies = () => Promise.reject(new Error('The command line keeps no local copies'));
  const device = { kdf: KDF, deriveForFile, deviceStore, openCopies, load, browser: 'pb' };
  serve(port2, createServices(device), describeFailure);
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
