/**
 * What this device keeps of a person beyond the session: his sealed document of accepted rosters, and how new a list of pins it has seen
 * (crypto.md §9, §13). It stays at logout. Nothing in it is secret without his keys.
 */
import { openDB, type DBSchema, type IDBPDatabase, type OpenDBCallbacks } from 'idb';
import { keptDatabase } from '../lib/kept-database.ts';
import type { StoredDocument } from '@passwordbroker/core/domain/documents';
import { NO_SEEN_PINS, readSeenPins, type SeenPins } from './seen-pins.ts';

export interface DeviceShelf {
  /** null: none, or it cannot be read. */
  rosters(place: string): Promise<StoredDocument | null>;
  /** Compare and set, because other tabs write, too. @returns whether the document of that version (0: none) was the present one */
  replaceRosters(place: string, version: number, next: StoredDocument): Promise<boolean>;
  seenPins(userId: string): Promise<SeenPins>;
  /** Made of what is there then, because other tabs write, too. */
  changeSeenPins(userId: string, change: (seen: SeenPins) => SeenPins): Promise<void>;
}

interface Shape extends DBSchema {
  rosters: { key: string; value: StoredDocument };
  pins: { key: string; value: SeenPins };
}

/** In IndexedDB. Where there is none (private windows of some browsers), every group is at first use with each session. */
export function openDeviceShelf(name = 'passwordbroker-trust'): DeviceShelf {
  const opened = keptDatabase<Shape>((ends) => open(name, ends));
  return {
    rosters: async (place) => (await (await opened()).get('rosters', place)) ?? null,
    async replaceRosters(place, version, next) {
      const act = (await opened()).transaction('rosters', 'readwrite');
      const present = (await act.store.get(place))?.version ?? 0;
      if (present === version) await act.store.put(next, place);
      await act.done;
      return present === version;
    },
    seenPins: async (userId) => (await (await opened()).get('pins', userId)) ?? NO_SEEN_PINS,
    async changeSeenPins(userId, change) {
      const act = (await opened()).transaction('pins', 'readwrite');
      await act.store.put(change((await act.store.get(userId)) ?? NO_SEEN_PINS), userId);
      await act.done;
    },
  };
}

function open(name: string, ends: OpenDBCallbacks<Shape>): Promise<IDBPDatabase<Shape>> {
  return openDB<Shape>(name, 3, {
    async upgrade(database, before, _after, act) {
      if (before === 0) {
        database.createObjectStore('rosters');
        database.createObjectStore('pins');
        return;
      }
      // What an older client has seen counts on.
      const pins = act.objectStore('pins');
      for (let row = await pins.openCursor(); row !== null; row = await row.continue())
        await row.update(readSeenPins(row.value));
    },
    ...ends,
  });
}
