/** A page that keeps a local copy, on the real server in the same process: opened and closed on one device, like a tab. */
import { createSession, type Session } from '../session/session.ts';
import type { SignedIn } from '../../../server/src/testing/test-app.ts';
import { nameOfCopy } from '../keyring/copy/copy-store.ts';
import { createOfflineEngine, type OfflineEngine } from '../offline/engine.ts';
import { NOTHING_KEPT, type OfflineState } from '../offline/offline.ts';
import type { VaultWrite } from '../vault/vault.ts';
import { copiesInMemory, type CopiesInMemory } from './copies-in-memory.ts';
import { vaultOf, type RealVault } from './real-vault.node.ts';
import { shelfInMemory } from './shelf-in-memory.ts';
import type { Tabs } from '../platform.ts';
import { onlyTab } from './tabs-of-one-browser.ts';
import { ownServer } from './signs-in-here.ts';
import { NetworkError } from '../transport/exchange.ts';
import type { DeviceStore } from '../keyring/trust/own-copy.ts';
import { loadNow } from './load-now.ts';

/** What stays when a page is closed. */
export interface Device {
  readonly shelf: DeviceStore;
  readonly copies: CopiesInMemory;
  readonly clientId: string;
}

export const newDevice = (): Device => ({
  shelf: shelfInMemory(),
  copies: copiesInMemory(),
  clientId: crypto.randomUUID(),
});

export const ORIGIN = 'https://vault.example';

export interface OfflineTestPage {
  readonly real: RealVault;
  readonly session: Session;
  readonly engine: OfflineEngine;
  readonly device: Device;
  /** Of the person in this device's store. */
  readonly name: string;
  readonly states: readonly OfflineState[];
  readonly state: () => OfflineState;
  readonly write: () => VaultWrite;
  /** The network is gone, or back. */
  setAway(isAway: boolean): void;
  unlock(): Promise<void>;
  /** As a browser that is closed: nothing more is done, and what was in memory is gone. */
  close(): void;
}

const NEVER: OfflineState = { ...NOTHING_KEPT, allowed: true, databaseMode: 'online' };
const QUICK = { check: 40, retry: 20 };

interface Opening {
  readonly isAway?: boolean;
  /** Nobody has been looked for: a page like that of logging out does without. */
  readonly isUnchecked?: boolean;
  /** Where other tabs are heard; default none. */
  readonly tabs?: Tabs;
}

/** The store as one page sees it: once the page is closed, a call under way does nothing more and is never answered. */
function untilClosed(copies: CopiesInMemory, isClosed: () => boolean): CopiesInMemory {
  return new Proxy(copies, {
    get: (store, name: keyof CopiesInMemory) => (isClosed() ? () => new Promise(() => undefined) : store[name]),
  });
}

/** Whoever is signed in there; nobody while the network is away. */
export async function openPage(
  person: SignedIn,
  device: Device,
  { isAway = false, isUnchecked = false, tabs = onlyTab() }: Opening = {},
): Promise<OfflineTestPage> {
  let isClosed = false;
  const copies = untilClosed(device.copies, () => isClosed);
  const real = vaultOf(person, tabs, device.shelf, copies);
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
      nobodyIsSignedIn: async () => engine?.askStandings(),
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
