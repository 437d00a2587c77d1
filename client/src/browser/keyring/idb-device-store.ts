import { openDB, type DBSchema, type IDBPDatabase, type OpenDBCallbacks } from 'idb';
import type { DeviceRow, DeviceStore } from '../../keyring/trust/own-copy.ts';
import { keptDatabase } from '../kept-database.ts';

interface Shape extends DBSchema {
  records: { key: string; value: DeviceRow };
  /** Written by release 1.0; read only. */
  rosters: { key: string; value: DeviceRow };
  pins: { key: string; value: unknown };
}

/** Device store in IndexedDB; opened at first use. */
export function openDeviceStore(name = 'passwordbroker-trust'): DeviceStore {
  const opened = keptDatabase<Shape>((ends) => open(name, ends));
  return {
    record: async (place) => (await (await opened()).get('records', place)) ?? null,
    async replaceRecord(place, version, next) {
      const transaction = (await opened()).transaction('records', 'readwrite');
      const present = (await transaction.store.get(place))?.version ?? 0;
      if (present === version) await transaction.store.put(next, place);
      await transaction.done;
      return present === version;
    },
    rosters: async (place) => (await (await opened()).get('rosters', place)) ?? null,
    seenPins: async (userId, fingerprint) => leastSeen(await (await opened()).get('pins', userId), fingerprint),
  };
}

/** Release 1.0 stored a number, or one for each own key; anything else counts as seen once. */
function leastSeen(kept: unknown, fingerprint: string): number | null {
  if (kept === undefined) return null;
  if (typeof kept === 'number') return kept;
  const { keys, unnamed = 0 } = (kept ?? {}) as { keys?: readonly SeenKey[]; unnamed?: number };
  return Math.max(unnamed, keys?.find((one) => one.fingerprint === fingerprint)?.n ?? 0);
}

interface SeenKey {
  readonly fingerprint: string;
  readonly n: number;
}

function open(name: string, ends: OpenDBCallbacks<Shape>): Promise<IDBPDatabase<Shape>> {
  return openDB<Shape>(name, 4, {
    upgrade(database) {
      for (const store of ['records', 'rosters', 'pins'] as const) {
        if (!database.objectStoreNames.contains(store)) database.createObjectStore(store);
      }
    },
    ...ends,
  });
}
