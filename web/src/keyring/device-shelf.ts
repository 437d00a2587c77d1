/**
 * The device store in IndexedDB: the own copy of the trust record, sealed under the person's keys. It is kept at logout.
 */
import { openDB, type DBSchema, type IDBPDatabase, type OpenDBCallbacks } from 'idb';
import { keptDatabase } from '@passwordbroker/client/browser/kept-database';

/** A sealed document with its number. */
export interface ShelfRow {
  readonly version: number;
  readonly blob_base64: string;
}

export interface DeviceShelf {
  /** The own copy of the trust record; null: none. `place`: user id and fingerprint. Rejects if the browser has no storage. */
  record(place: string): Promise<ShelfRow | null>;
  /** Compare-and-set against other tabs: writes if the present row has this version (0: no row). @returns whether it wrote */
  replaceRecord(place: string, version: number, next: ShelfRow): Promise<boolean>;
  /** The accepted lists of release 1.0, for taking them over. */
  rosters(place: string): Promise<ShelfRow | null>;
  /** Version of the newest document `pins` that release 1.0 has seen in this browser under this key; null: none. */
  seenPins(userId: string, fingerprint: string): Promise<number | null>;
}

interface Shape extends DBSchema {
  records: { key: string; value: ShelfRow };
  /** Of release 1.0: only read. */
  rosters: { key: string; value: ShelfRow };
  pins: { key: string; value: unknown };
}

/** Opens the database at the first use. */
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
    seenPins: async (userId, fingerprint) => leastSeen(await (await opened()).get('pins', userId), fingerprint),
  };
}

/** Release 1.0 kept a number, or one for each own key; whatever else it is counts as seen once. */
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
