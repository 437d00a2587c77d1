/** The online vault on the real server in the same process: real keys, real database, no sockets. */
import { me } from '@passwordbroker/core/contract/account/session';
import type { ProblemCode } from '@passwordbroker/core/contract/problem';
import { TEST_KDF } from '@passwordbroker/core/testing/test-kdf';
import type { TestClient } from '../../../server/src/testing/test-client.ts';
import type { CopyStore } from '../keyring/copy/copy-store.ts';
import { createKeyring, type Keyring } from '../keyring/keyring.ts';
import type { Tabs } from '../platform.ts';
import { createHttp, type Http } from '../transport/http.ts';
import { type Incoming, isClearing, type Outgoing } from '../transport/exchange.ts';
import { onlineVault } from '../vault/online.ts';
import type { Vault } from '../vault/vault.ts';
import { inProcess } from './in-process.node.ts';
import { copiesInMemory } from './copies-in-memory.ts';
import { deviceStoreInMemory } from './device-store-in-memory.ts';
import { onlyTab } from './tabs-of-one-browser.ts';
import { workerInProcess } from './worker-in-process.ts';
import { loadNow } from './load-now.ts';
import type { DeviceStore } from '../keyring/trust/own-copy.ts';

interface Refusal {
  /** null: a page of a proxy before the server, which has no codes. */
  readonly code: ProblemCode | null;
  readonly status: number;
  readonly details?: object;
}

export interface RealVault {
  readonly vault: Vault;
  readonly keyring: Keyring;
  readonly http: Http;
  /** Method and path of every request so far, except writes of the trust record, which come seconds later. */
  readonly requests: string[];
  /** Changes answers, as a hostile server would. */
  forge: ((path: string, answer: unknown) => unknown) | null;
  /** Runs before a request is sent. */
  before: ((request: string) => Promise<void>) | null;
  /** Answers a request without sending it to the server; null: sends it. */
  swallow: ((request: string) => unknown) | null;
  /** Refuses a request without sending it to the server; null: sends it. */
  refuse: ((request: string) => Refusal | null) | null;
  /** The `Clear-Site-Data` header added to an answer. */
  clearing: ((request: string) => string | undefined) | null;
}

/**
 * @param deviceStore the device's store, which outlives this page
 * @param copies local copies for work without the server
 */
export function vaultOf(
  person: TestClient,
  tabs: Tabs = onlyTab(),
  deviceStore: DeviceStore = deviceStoreInMemory(),
  copies: CopyStore = copiesInMemory(),
): RealVault {
  const requests: string[] = [];
  const { exchange: send, cookies } = inProcess(person);
  const exchange = async (outgoing: Outgoing): Promise<Incoming> => {
    outgoing.signal?.throwIfAborted();
    const { method, url } = outgoing;
    const name = `${method} ${url}`;
    await real.before?.(name);
    if (!name.startsWith('PUT ') || !name.endsWith('/documents/trust')) requests.push(name);
    const refusal = real.refuse?.(name) ?? null;
    if (refusal !== null) return refusalOf(refusal);
    const accepted = real.swallow?.(name) ?? null;
    if (accepted !== null) return incoming(200, 'application/json', accepted);
    const answer = await send(outgoing);
    const clearsStorage = answer.clearsStorage === true || isClearing(real.clearing?.(name) ?? null);
    if (!answer.contentType.startsWith('application/json') || answer.status >= 300 || real.forge === null)
      return { ...answer, clearsStorage };
    const forged: unknown = real.forge(url, JSON.parse(new TextDecoder().decode(answer.bytes)));
    return { ...answer, clearsStorage, bytes: new TextEncoder().encode(JSON.stringify(forged)) };
  };
  const http = createHttp({ face: 'web', cookies, exchange });
  http.setSignedIn(true);
  const keyring = createKeyring({
    http,
    startWorker: () => workerInProcess(TEST_KDF, deviceStore, copies),
    tabs,
    watchPresence: () => undefined,
    idleMs: () => 600_000,
    load: loadNow,
  });
  http.setProver(async (request) => {
    const { session_id: sessionId } = await person.call(me);
    return keyring.call('prove', { sessionId: sessionId ?? '', ...request });
  });
  const real: RealVault = {
    vault: onlineVault(http, keyring),
    keyring,
    http,
    requests,
    forge: null,
    before: null,
    refuse: null,
    swallow: null,
    clearing: null,
  };
  return real;
}

const incoming = (status: number, contentType: string, body: unknown): Incoming => ({
  status,
  contentType,
  retryAfter: undefined,
  operationId: undefined,
  bytes: new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body)),
});

const refusalOf = ({ code, status, details }: Refusal): Incoming =>
  code === null
    ? incoming(status, 'text/html', '<h1>Bad Gateway</h1>')
    : incoming(status, 'application/json', {
        message: code,
        code,
        request_id: 'r',
        ...(details === undefined ? {} : { details }),
      });
