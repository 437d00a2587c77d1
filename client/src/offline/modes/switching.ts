/** Between the server and the local copy (docs/spec/product.md §4, database mode). */
import type { CopyRecord } from '../../keyring/copy/copy-store.ts';
import { isLocked, KeyringError } from '../../keyring/keyring-error.ts';
import { reasonOf } from '../../transport/reason.ts';
import { OFFLINE_COPY_TEXTS as TEXTS } from '../../texts/offline-copy.ts';
import { offlineVault, type OfflineVault } from '../../vault/offline.ts';
import { isSaltSound, readKeyPart } from '../../keyring/copy/key-parts.ts';
import { OfflineCopyError } from '../offline-copy-error.ts';
import type { OfflinePage } from '../page.ts';
import type { DatabaseMode } from '../offline.ts';

/** Which copy. */
type CopyPlace = Pick<CopyRecord, 'origin' | 'userId'>;

interface Switching {
  /**
   * @param find the copy as it is kept; what it throws is a failure of the switch
   * @throws KeyringError 'locked': nothing has changed, and it is worth another try once the vault is open; OfflineCopyError
   */
  toOffline(find: () => Promise<CopyRecord>, origin: string): Promise<void>;
  /** @throws NetworkError when the server does not answer: then the page stays offline, unless nobody is signed in any more */
  toOnline(): Promise<void>;
  /** Nobody is signed in: opens the keys from the copy. @throws KeyringError 'wrong_master_password'; OfflineCopyError */
  logIn(record: CopyRecord, masterPassword: string): Promise<void>;
  /** Somebody may be about to open this copy. */
  prepare(place: CopyPlace): void;
  /** Nobody is signed in any more. */
  unload(): void;
  vault(): OfflineVault | null;
}

interface Hooks {
  readonly onFailed: () => void;
  readonly onOnline: () => void;
}

export function createSwitching(page: OfflinePage, { onFailed, onOnline }: Hooks): Switching {
  const { http, keyring, session } = page;
  let vault: OfflineVault | null = null;

  const send = (event: DatabaseEvent) =>
    page.show({ databaseMode: afterDatabaseEvent(page.getState().databaseMode, event) });

  /** Key and salt as they are stored. @throws OfflineCopyError */
  async function checkKeys(record: CopyRecord) {
    const bundle = await readKeyPart(record);
    const isSound = bundle !== null && (await isSaltSound(record, bundle));
    if (bundle === null || !isSound) throw new OfflineCopyError(TEXTS.keyUnusable);
    return bundle;
  }

  /** @throws KeyringError 'locked'; OfflineCopyError */
  async function load(origin: string) {
    const opened = vaultOf(origin);
    try {
      const copyOf = await opened.open();
      page.show({ copyOf });
      return opened;
    } catch (failure) {
      if (isLocked(failure)) throw failure;
      throw new OfflineCopyError(
        failure instanceof KeyringError ? (failure.detail ?? failure.code) : reasonOf(failure),
      );
    }
  }

  /** One for each server: it listens to the keyring. */
  const vaults = new Map<string, OfflineVault>();
  function vaultOf(origin: string): OfflineVault {
    const known = vaults.get(origin) ?? offlineVault(keyring, origin);
    vaults.set(origin, known);
    return known;
  }

  function close() {
    const closed = vault;
    vault = null;
    void closed?.close().catch(() => undefined);
  }

  return {
    async toOffline(find, origin) {
      if (page.getState().databaseMode !== 'online') return;
      send('switch to offline');
      const isSwitching = () => page.getState().databaseMode === 'switching_to_offline';
      try {
        await checkKeys(await find());
        vault = await load(origin);
        // It may have been taken away meanwhile, or its owner may have left.
        await find();
        if (!isSwitching()) throw new OfflineCopyError(TEXTS.keyUnusable);
        http.setOffline(true);
        send('loaded');
      } catch (failure) {
        close();
        // Whoever ended it has shown what is left.
        if (!isSwitching()) throw failure;
        if (!isLocked(failure)) onFailed();
        page.show({
          databaseMode: afterDatabaseEvent(page.getState().databaseMode, 'failed'),
          problem: isLocked(failure) ? null : reasonOf(failure),
        });
        throw failure;
      }
    },

    async toOnline() {
      if (page.getState().databaseMode !== 'offline') return;
      http.setOffline(false);
      try {
        await session.comeOnline();
      } catch (failure) {
        // His session may have ended meanwhile, and the copy with it: then nothing is left to work from.
        if (page.getState().databaseMode === 'offline') http.setOffline(true);
        throw failure;
      }
      send('switch to online');
      close();
      onOnline();
    },

    async logIn(record, masterPassword) {
      send('switch to offline');
      try {
        const bundle = await checkKeys(record);
        keyring.setLocalBundle(async () => bundle);
        http.setOffline(true);
        // The sealed copy is read while the key is derived, unless it was read before.
        keyring.prepare({ origin: record.origin, userId: record.userId });
        await keyring.unlock(masterPassword);
        vault = await load(record.origin);
        send('loaded');
      } catch (failure) {
        close();
        // For the next try it is read anew.
        keyring.prepare(null);
        keyring.setLocalBundle(null);
        if (keyring.isOpen()) keyring.lock();
        http.setOffline(false);
        send('failed');
        throw failure;
      }
    },

    prepare: (place) => keyring.prepare(place),

    unload() {
      if (page.getState().databaseMode === 'online') return;
      close();
      http.setOffline(false);
      send('switch to online');
    },

    vault: () => vault,
  };
}

/** Whether the page works with the server or from the local copy (docs/spec/product.md §4): mode → event → mode. */
export type DatabaseEvent = 'switch to offline' | 'loaded' | 'failed' | 'switch to online';

const DATABASE_MODES: Readonly<Record<DatabaseMode, Partial<Record<DatabaseEvent, DatabaseMode>>>> = {
  online: { 'switch to offline': 'switching_to_offline' },
  switching_to_offline: { loaded: 'offline', failed: 'online', 'switch to online': 'online' },
  offline: { 'switch to online': 'online' },
};

/** An event that a mode does not know changes nothing. */
export function afterDatabaseEvent(mode: DatabaseMode, event: DatabaseEvent): DatabaseMode {
  return DATABASE_MODES[mode][event] ?? mode;
}
