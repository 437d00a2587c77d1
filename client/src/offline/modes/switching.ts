import type { CopyRecord } from '../../keyring/copy/copy-store.ts';
import { isLocked, KeyringError } from '../../keyring/keyring-error.ts';
import type { UnlockBy } from '../../keyring/keyring.ts';
import { reasonOf } from '../../transport/reason.ts';
import { OFFLINE_COPY_TEXTS as TEXTS } from '../../texts/offline-copy.ts';
import { offlineVault, type OfflineVault } from '../../vault/offline.ts';
import { isSaltSound, readKeyPart } from '../../keyring/copy/key-parts.ts';
import { OfflineCopyError, type DatabaseMode } from '../offline.ts';
import type { OfflinePage } from '../page.ts';

type CopyPlace = Pick<CopyRecord, 'origin' | 'userId'>;

interface Switching {
  /** @throws KeyringError 'locked' (nothing changed); OfflineCopyError; what `find` throws */
  toOffline(find: () => Promise<CopyRecord>, origin: string): Promise<void>;
  /** @throws NetworkError; the page then stays offline unless the session has ended */
  toOnline(): Promise<void>;
  /** Signs in offline. @throws KeyringError 'wrong_master_password', 'other_passkey'; OfflineCopyError */
  logIn(record: CopyRecord, by: UnlockBy): Promise<void>;
  /** Preloads the copy that `logIn` may open. */
  prepare(place: CopyPlace): void;
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

  /** @throws OfflineCopyError if missing or damaged */
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

  /** One for each server, because each listens to the keyring. */
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
        // The copy may have been deleted meanwhile.
        await find();
        if (!isSwitching()) throw new OfflineCopyError(TEXTS.keyUnusable);
        http.setOffline(true);
        send('loaded');
      } catch (failure) {
        close();
        // Ended from outside, which has shown the new state.
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
        await session.refresh();
      } catch (failure) {
        // The session may have ended meanwhile and the copy with it.
        if (page.getState().databaseMode === 'offline') http.setOffline(true);
        throw failure;
      }
      send('switch to online');
      close();
      onOnline();
    },

    async logIn(record, by) {
      send('switch to offline');
      try {
        const bundle = await checkKeys(record);
        keyring.setLocalBundle(async () => bundle);
        http.setOffline(true);
        // Reads the sealed copy while the key is derived.
        keyring.prepare({ origin: record.origin, userId: record.userId });
        await keyring.unlock(by);
        vault = await load(record.origin);
        send('loaded');
      } catch (failure) {
        close();
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

export type DatabaseEvent = 'switch to offline' | 'loaded' | 'failed' | 'switch to online';

const DATABASE_MODES: Readonly<Record<DatabaseMode, Partial<Record<DatabaseEvent, DatabaseMode>>>> = {
  online: { 'switch to offline': 'switching_to_offline' },
  switching_to_offline: { loaded: 'offline', failed: 'online', 'switch to online': 'online' },
  offline: { 'switch to online': 'online' },
};

/** Unknown events change nothing. */
export function afterDatabaseEvent(mode: DatabaseMode, event: DatabaseEvent): DatabaseMode {
  return DATABASE_MODES[mode][event] ?? mode;
}
