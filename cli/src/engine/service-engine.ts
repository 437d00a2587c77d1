/** `pb` with the credential of a service account: without sign-in, agent and master password. */
import { readFileSync } from 'node:fs';
import type { KeyBundle } from '@passwordbroker/core/contract/entities';
import { addServiceCredential } from '@passwordbroker/core/contract/users/service-accounts';
import { AppError } from '@passwordbroker/core/contract/problem';
import {
  bearerOf,
  deriveMachineToken,
  readCredential,
  type ServiceCredential,
} from '@passwordbroker/core/domain/keyring/service/service-credential';
import {
  createNextCredential,
  unlockWithCredential,
} from '@passwordbroker/core/domain/keyring/service/service-keyring';
import { keyBundle } from '@passwordbroker/core/contract/users/users';
import { createKeyring, type Keyring } from '@passwordbroker/client/keyring/keyring';
import type { DeviceStore } from '@passwordbroker/client/keyring/trust/own-copy';
import { exchange } from '@passwordbroker/client/transport/exchange';
import { createHttp, type Http } from '@passwordbroker/client/transport/http';
import { resolveNames } from '@passwordbroker/client/vault/entries/resolve';
import { serviceVault } from '@passwordbroker/client/vault/service-vault';
import { CommandError, EXIT, wrongUsage } from '../failure.ts';
import { createServerClock, type ServerClock } from '@passwordbroker/client/transport/server-clock';
import { repeatedOnce, startKeyring } from './node-platform.ts';
import type { Engine, InputOf, OperationName, OutputOf } from './operations.ts';
import { readingOf } from './reading.ts';
import { openStateFolder, requirePrivate, statePath } from './state-folder.ts';

interface Source {
  readonly credential: ServiceCredential;
  /** Fingerprints. Empty: lists count at first use. */
  readonly pins: readonly string[];
}

/** Null without `PB_SERVICE` and `PB_SERVICE_FILE`. @throws CommandError */
export function serviceSource(environment: NodeJS.ProcessEnv): Source | null {
  const { PB_SERVICE: text = '', PB_SERVICE_FILE: file = '', PB_SERVICE_PINS: pinned = '' } = environment;
  if (text === '' && file === '') return null;
  const credential = readCredential(file === '' ? text : readPrivate(file));
  if (credential === null)
    throw new CommandError(EXIT.usage, 'damaged_credential', 'The credential is damaged: copy it again.');
  const pins = pinned.split(/[\s,]+/).filter((pin) => pin !== '');
  if (pins.some((pin) => !/^[0-9a-f]{64}$/.test(pin)))
    throw wrongUsage('PB_SERVICE_PINS has fingerprints of 64 characters, separated by commas.');
  return { credential, pins };
}

/** @throws CommandError for a file that other accounts can read */
function readPrivate(file: string): string {
  requirePrivate(file);
  return readFileSync(file, 'utf8');
}

const DAY = 24 * 60 * 60 * 1000;
const TOLD_BEFORE = 14 * DAY;
/** Longer than any command of a pipeline. */
const OPEN_MS = 7 * DAY;

interface Lifetime {
  readonly days: number;
  /** How long the other credential still works. */
  readonly hours: number;
}

export interface ServiceEngine extends Engine {
  /** Returns the text of the new credential. */
  addCredential(asked: Lifetime): Promise<string>;
}

/** @param tell says on standard error that the credential expires soon */
export async function createServiceEngine(
  source: Source,
  environment: NodeJS.ProcessEnv,
  tell: (sentence: string) => void,
): Promise<ServiceEngine> {
  const operations = operationsOf(await openService(source, environment, tell));
  return {
    async call<Name extends OperationName>(name: Name, input: InputOf<Name>): Promise<OutputOf<Name>> {
      if (!Object.hasOwn(operations.known, name))
        throw wrongUsage('A service account can only get, run, totp, ls, search and history.');
      const operation = operations.known[name as keyof typeof operations.known] as (
        input: InputOf<Name>,
      ) => Promise<OutputOf<Name>>;
      return await operation(input).catch(throwEnded);
    },
    addCredential: (asked) => operations.addCredential(asked).catch(throwEnded),
    end: () => operations.end(),
  };
}

function throwEnded(error: unknown): never {
  if (!(error instanceof AppError) || error.code !== 'unauthenticated') throw error;
  const message = 'The server does not accept the credential: it has ended or expired.';
  throw new CommandError(EXIT.notSignedIn, 'unauthenticated', message);
}

interface Opened {
  readonly http: Http;
  readonly keyring: Keyring;
  readonly unlock: () => Promise<void>;
  readonly credential: ServiceCredential;
  readonly clock: ServerClock;
  readonly vault: ReturnType<typeof serviceVault>;
}

async function openService(
  { credential, pins }: Source,
  environment: NodeJS.ProcessEnv,
  tell: (sentence: string) => void,
): Promise<Opened> {
  const { origin, slotId } = credential;
  const clock = createServerClock();
  const http = createHttp({
    origin,
    face: 'cli',
    cookies: null,
    exchange: repeatedOnce(exchange),
    hear: (time) => clock.hear(time),
  });
  const token = await deriveMachineToken(credential);
  http.setServer({ origin, token: bearerOf(slotId, token) });
  http.setSignedIn(true);
  token.fill(0);
  const openKeys = (bundle: KeyBundle) => unlockWithCredential(bundle, credential);
  const keyring = createKeyring({
    http,
    startWorker: () => startKeyring(deviceStoreOf(environment), openKeys),
    tabs: { tell: () => undefined, listen: () => undefined },
    watchPresence: () => undefined,
    idleMs: () => OPEN_MS,
    load: (_name, importer) => importer(),
  });
  http.setProver((request) => keyring.call('prove', { sessionId: slotId, ...request }));
  keyring.onOpened((bundle) => tellOfExpiry(bundle, tell));
  let unlocking: Promise<void> | null = null;
  const unlock = () => (unlocking ??= keyring.unlock(''));
  return { http, keyring, unlock, credential, clock, vault: serviceVault(http, keyring, pins) };
}

function tellOfExpiry(bundle: KeyBundle | null, tell: (sentence: string) => void): void {
  const end = bundle?.slots[0]?.expires_at;
  const left = end === undefined ? Infinity : Date.parse(end) - Date.now();
  if (left > TOLD_BEFORE) return;
  const days = Math.max(0, Math.floor(left / DAY));
  tell(`The credential ends in ${days === 1 ? '1 day' : `${days} days`}. Renew it: pb service rotate -o FILE`);
}

function operationsOf({ http, keyring, unlock, credential, clock, vault }: Opened) {
  const noClipboard = {
    copy: () => Promise.reject(wrongUsage('Without the agent nothing clears the clipboard later. Use pb get.')),
    end: () => Promise.resolve(),
  };
  const clockOff = () => clock.difference();
  const reads = { ...vault, resolve: resolveNames(http) };
  const lists = readingOf(reads, noClipboard, () => Promise.resolve(), clockOff);
  const values = readingOf(reads, noClipboard, unlock, clockOff);
  return {
    known: {
      list: (asked: InputOf<'list'>) => lists.list(asked),
      search: (asked: InputOf<'search'>) => lists.search(asked),
      reveal: (asked: InputOf<'reveal'>) => values.reveal(asked),
      code: (asked: InputOf<'code'>) => values.code(asked),
      codes: (asked: InputOf<'codes'>) => values.codes(asked),
      // Nothing is opened that cannot be copied.
      copy: noClipboard.copy,
      history: (asked: InputOf<'history'>) => values.history(asked),
    },

    async addCredential({ days, hours }: Lifetime): Promise<string> {
      await unlock();
      const bundle = await http.call(keyBundle);
      const made = await createNextCredential(bundle, credential);
      await http.call(addServiceCredential, {
        params: { id: credential.userId },
        body: { ...made.credential, expires_in_days: days, end_others_in_hours: hours },
      });
      return made.text;
    },

    end() {
      keyring.lock();
      credential.secret.fill(0);
    },
  };
}

/** A container may have no place to write: then each group is met anew. @throws CommandError for an unsafe folder */
function deviceStoreOf(environment: NodeJS.ProcessEnv): DeviceStore {
  try {
    return openStateFolder(statePath(environment)).deviceStore;
  } catch (error) {
    if (error instanceof CommandError) throw error;
    return inMemory();
  }
}

function inMemory(): DeviceStore {
  const records = new Map<string, Parameters<DeviceStore['replaceRecord']>[2]>();
  return {
    record: async (place) => records.get(place) ?? null,
    async replaceRecord(place, version, next) {
      if ((records.get(place)?.version ?? 0) !== version) return false;
      records.set(place, next);
      return true;
    },
    rosters: async () => null,
    seenPins: async () => null,
  };
}
