/**
 * What this device keeps of a person beyond the session: the own copy of the trust record (crypto.md §13). It stays at logout. Nothing in it is secret without the
 * person's keys.
 */
import { openDB, type DBSchema, type IDBPDatabase, type OpenDBCallbacks } from 'idb';
import { keptDatabase } from '../lib/kept-database.ts';

/** A sealed document with its number. */
export interface ShelfRow {
  readonly version: number;
  readonly blob_base64: string;
}

export interface DeviceShelf {
  /** The own copy of the trust record; null: none. Rejects where the browser keeps nothing. */
  record(place: string): Promise<ShelfRow | null>;
  /** Compare and set, because other tabs write, too. @returns whether the row of that version (0: none) was the present one */
  replaceRecord(place: string, version: number, next: ShelfRow): Promise<boolean>;
  /** The accepted lists of release 1.0, for taking them over. */
  rosters(place: string): Promise<ShelfRow | null>;
  /** Whether release 1.0 has seen a list of trusted keys of this person here. */
  hasSeenPins(userId: string): Promise<boolean>;
}

interface Shape extends DBSchema {
  records: { key: string; value: ShelfRow };
  /** Of release 1.0: only read. */
  rosters: { key: string; value: ShelfRow };
  pins: { key: string; value: unknown };
}

/** In IndexedDB. */
export function openDeviceShelf(name = 'passwordbroker-trust'): DeviceShelf {
  const opened = keptDatabase<Shape>((ends) => open(name, ends));
  return {
    record: async (place) => (await (await opened()).get('records', place)) ?? null,
    async replaceRecord(place, version, next) {
      const act = (await opened()).transaction('records', 'readwrite');
      const present = (await act.store.get(place))?.version ?? 0;
      if (present === version) await act.store.put(next, place);
      await act.done;
      return present === version;
    },
    rosters: async (place) => (await (await opened()).get('rosters', place)) ?? null,
    hasSeenPins: async (userId) => (await (await opened()).getKey('pins', userId)) !== undefined,
  };
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
