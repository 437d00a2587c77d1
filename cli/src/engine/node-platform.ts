/** The client engine in a Node process: keys in this process, tokens instead of cookies, no local copies. */
import * as z from 'zod/mini';
import { argon2idOnce } from '@passwordbroker/core/crypto/argon2/argon2-wasm';
import { DEFAULT_KDF, type Kdf, KDF_PROFILES } from '@passwordbroker/core/crypto/kdf';
import { type Client, createClient } from '@passwordbroker/client/client';
import type { DeriveForFile } from '@passwordbroker/client/keyring/imports/import-services';
import { keyringInProcess } from '@passwordbroker/client/keyring/keyring-in-process';
import { createServices, type KeyringDevice } from '@passwordbroker/client/keyring/services';
import type { KeyringWorker, Load, Presence } from '@passwordbroker/client/platform';
import { type Incoming, NetworkError, type Outgoing, TimeoutError } from '@passwordbroker/client/transport/exchange';
import { exchangeByToken } from '@passwordbroker/client/transport/token-exchange';
import type { ExportWork } from '@passwordbroker/client/vault/vault';
import type { StateFolder } from './state-folder.ts';

// The agent runs without `eval`.
z.config({ jitless: true });

const KDF: Kdf = { profiles: KDF_PROFILES, defaultProfile: DEFAULT_KDF, argon2id: argon2idOnce };

/** Its code loads with the first file that needs it. */
const deriveForFile: DeriveForFile = () => async (derivation) => {
  const { fileArgon2 } = await import('@passwordbroker/core/domain/exchange/file-argon2');
  return fileArgon2(derivation);
};

const load: Load = (_name, importer) => importer();

/** What an operation gets beside its input. */
export interface Asked {
  /** Aborted when the command cancels, or is gone. */
  readonly signal: AbortSignal;
  /** Aborted when the command has ended. */
  readonly gone: AbortSignal;
  readonly onProgress: (work: ExportWork) => void;
}

export interface NodeClient extends Client {
  /** Counts as use: the idle time begins anew. */
  readonly touch: () => void;
}

export function createNodeClient({ plain, tokens, deviceStore }: StateFolder): NodeClient {
  let presence: Presence | null = null;
  const client = createClient({
    face: 'cli',
    origin: '',
    exchange: repeatedOnce(exchangeByToken),
    cookies: null,
    plain: () => plain,
    openTokens: async () => tokens,
    copies: null,
    tabs: { tell: () => undefined, listen: () => undefined },
    load,
    startKeyring: () => startKeyring(deviceStore),
    watchPresence: (given) => {
      presence = given;
    },
    exclusive: (_name, work) => work(),
  });
  return { ...client, touch: () => presence?.onActivity() };
}

/** The agent is the isolated context. @param openService opens the keys of a service account instead */
export function startKeyring(
  deviceStore: StateFolder['deviceStore'],
  openService?: KeyringDevice['openService'],
): KeyringWorker {
  const openCopies = () => Promise.reject(new Error('The command line keeps no local copies'));
  const device = { kdf: KDF, deriveForFile, deviceStore, openCopies, load, browser: 'pb' };
  return keyringInProcess(createServices(openService === undefined ? device : { ...device, openService }));
}

/** Longest wait for a server that says when it is back. */
const MOST_WAIT_S = 10;

type Exchange = (outgoing: Outgoing) => Promise<Incoming>;

/** Repeats a read whose connection broke, and a call that a server refuses for some seconds, once. */
export const repeatedOnce =
  (exchange: Exchange): Exchange =>
  async (outgoing) => {
    const isAgain = (error: unknown) =>
      outgoing.method === 'GET' && error instanceof NetworkError && !(error instanceof TimeoutError);
    const incoming = await exchange(outgoing).catch((error: unknown) => {
      if (isAgain(error)) return null;
      throw error;
    });
    if (incoming === null) return exchange(outgoing);
    const { status, retryAfter = Infinity } = incoming;
    if (status !== 503 || retryAfter > MOST_WAIT_S) return incoming;
    await new Promise((resolve) => setTimeout(resolve, retryAfter * 1000));
    return exchange(outgoing);
  };
