/**
 * What this device keeps of a person beyond the session: his sealed document of accepted rosters, and how new a list of pins it has seen
 * (crypto.md §9, §13). It stays at logout. Nothing in it is secret without his keys.
 */
import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import type { StoredDocument } from '@passwordbroker/core/domain/documents';

/** How new a list of pins was, and under which own key. */
export interface SeenPins {
  readonly n: number;
  /** Hex, of whoever's list it is. */
  readonly fingerprint: string;
}

export interface DeviceShelf {
  /** null: none, or it cannot be read. */
  rosters(userId: string): Promise<StoredDocument | null>;
  /** Compare and set, because other tabs write, too. @returns whether the document of that version (0: none) was the present one */
  replaceRosters(userId: string, version: number, next: StoredDocument): Promise<boolean>;
  seenPins(userId: string): Promise<SeenPins | null>;
  keepSeenPins(userId: string, seen: SeenPins): Promise<void>;
}

interface Shape extends DBSchema {
  rosters: { key: string; value: StoredDocument };
  pins: { key: string; value: SeenPins };
}

/** In IndexedDB. Where there is none (private windows of some browsers), every group is at first use with each session. */
export function openDeviceShelf(name = 'passwordbroker-trust'): DeviceShelf {
  let opening: Promise<IDBPDatabase<Shape>> | null = null;
  const opened = () => {
    opening ??= open(name);
    // A browser that could not open it may be able to later.
    opening.catch(() => (opening = null));
    return opening;
  };
  return {
    rosters: async (userId) => (await (await opened()).get('rosters', userId)) ?? null,
    async replaceRosters(userId, version, next) {
      const act = (await opened()).transaction('rosters', 'readwrite');
      const present = (await act.store.get(userId))?.version ?? 0;
      if (present === version) await act.store.put(next, userId);
      await act.done;
      return present === version;
    },
    seenPins: async (userId) => (await (await opened()).get('pins', userId)) ?? null,
    async keepSeenPins(userId, seen) {
      await (await opened()).put('pins', seen, userId);
    },
  };
}

function open(name: string): Promise<IDBPDatabase<Shape>> {
  return openDB<Shape>(name, 2, {
    upgrade(database, before) {
      if (before === 0) database.createObjectStore('rosters');
      // Once a number alone, without whose key it was.
      else database.deleteObjectStore('pins');
      database.createObjectStore('pins');
    },
    // Another tab came with a newer shape: this one lets go of it.
    blocking: (_version, _blocked, event) => (event.target as unknown as { close(): void }).close(),
  });
}
