/**
 * A page with a local copy, on the real server in the same process; opened and closed on one device, like a
 * tab.
 */
import { createSession, type Session } from '../session/session.ts';
import type { SignedIn } from '../../../server/src/testing/test-app.ts';
import { nameOfCopy } from '../keyring/copy/copy-store.ts';
import { createOfflineEngine, type OfflineEngine } from '../offline/engine.ts';
import { NOTHING_KEPT, type OfflineState } from '../offline/offline.ts';
import type { VaultWrite } from '../vault/vault.ts';
import { copiesInMemory, type CopiesInMemory } from './copies-in-memory.ts';
import { vaultOf, type RealVault } from './real-vault.node.ts';
import { deviceStoreInMemory } from './device-store-in-memory.ts';
import type { Tabs } from '../platform.ts';
import { onlyTab } from './tabs-of-one-browser.ts';
import { ownServer } from './signs-in-here.ts';
import { NetworkError } from '../transport/exchange.ts';
import type { DeviceStore } from '../keyring/trust/own-copy.ts';
import { loadNow } from './load-now.ts';

/** Data that outlives a page. */
export interface Device {
  readonly deviceStore: DeviceStore;
  readonly copies: CopiesInMemory;
  readonly clientId: string;
}

export const newDevice = (): Device => ({
  deviceStore: deviceStoreInMemory(),
  copies: copiesInMemory(),
  clientId: crypto.randomUUID(),
});

export const ORIGIN = 'https://vault.example';

export interface OfflineTestPage {
  readonly real: RealVault;
  readonly session: Session;
  readonly engine: OfflineEngine;
  readonly device: Device;
  /** Name of the person's copy in the device's store. */
  readonly name: string;
  readonly states: readonly OfflineState[];
  readonly state: () => OfflineState;
  readonly write: () => VaultWrite;
  /** Breaks or restores the network. */
  setAway(isAway: boolean): void;
  unlock(): Promise<void>;
  /** Closes the page: pending work stops, and memory is lost. */
  close(): void;
}

const NEVER: OfflineState = { ...NOTHING_KEPT, allowed: true, databaseMode: 'online' };
const QUICK = { check: 40, retry: 20 };

interface Opening {
  readonly isAway?: boolean;
  /** Skips the session check, as the logout page does. */
  readonly isUnchecked?: boolean;
  /** Channel to other tabs; default: none. */
  readonly tabs?: Tabs;
}

/** The store as one page sees it: after the page is closed, pending calls do nothing and never resolve. */
function untilClosed(copies: CopiesInMemory, isClosed: () => boolean): CopiesInMemory {
  return new Proxy(copies, {
    get: (store, name: keyof CopiesInMemory) => (isClosed() ? () => new Promise(() => undefined) : store[name]),
  });
}

/** Opens a page with the signed-in person; without the network nobody is signed in. */
export async function openPage(
  person: SignedIn,
  device: Device,
  { isAway = false, isUnchecked = false, tabs = onlyTab() }: Opening = {},
): Promise<OfflineTestPage> {
  let isClosed = false;
  const copies = untilClosed(device.copies, () => isClosed);
  const real = vaultOf(person, tabs, device.deviceStore, copies);
  let away = isAway;
  real.before = async () => {
    if (away) throw new NetworkError('Failed to fetch');
  };
  const servers = ownServer();
  let engine: OfflineEngine | null = null;
  const session = createSession({
    http: real.http,
    keyring: real.keyring,
    tabs,
    servers,
    local: {
      hasCopyOf: async () => ((await engine?.localCopies()) ?? []).length > 0,
      nobodyIsSignedIn: async () => engine?.askCopyStatus(),
      forgetCopyOf: async (owner) => engine?.forgetAfterLogout(owner),
      owesLogout: () => false,
      setOwesLogout: () => undefined,
    },
    load: loadNow,
  });
  const states: OfflineState[] = [NEVER];
  const state = () => states.at(-1) ?? NEVER;
  engine = createOfflineEngine({
    http: real.http,
    keyring: real.keyring,
    session,
    servers,
    store: copies,
    origin: ORIGIN,
    clientId: () => device.clientId,
    exclusive: (_name, work) => work(),
    tabs,
    isLasting: async (ask) => ask,
    paces: { key: QUICK, database: QUICK, salt: QUICK },
    getState: state,
    show: (change) => void states.push({ ...state(), ...change }),
    setHasCopies: () => undefined,
  });
  const opened = engine;
  if (!isUnchecked) await session.check();
  return {
    real,
    session,
    engine: opened,
    device,
    name: nameOfCopy(ORIGIN, person.userId),
    states,
    state,
    write() {
      if (real.vault.write === null) throw new Error('The online vault writes');
      return real.vault.write;
    },
    setAway(next) {
      away = next;
    },
    unlock: () => real.keyring.unlock(person.masterPassword),
    close() {
      isClosed = true;
      opened.stop();
      real.keyring.lock();
    },
  };
}
