/** A device's shelf without a browser: it outlives keyrings, as IndexedDB does. */
import type { StoredDocument } from '@passwordbroker/core/domain/documents';
import type { DeviceShelf } from '../keyring/device-shelf.ts';
import { NO_SEEN_PINS, type SeenPins } from '../keyring/seen-pins.ts';

/** What lies on it: can be cloned, for a device as it was at some time. */
export interface ShelfContent {
  readonly rosters: Map<string, StoredDocument>;
  readonly pins: Map<string, SeenPins>;
}

export const emptyShelf = (): ShelfContent => ({ rosters: new Map(), pins: new Map() });

export function shelfInMemory({ rosters, pins }: ShelfContent = emptyShelf()): DeviceShelf {
  return {
    rosters: async (place) => rosters.get(place) ?? null,
    async replaceRosters(place, version, next) {
      const isPresent = (rosters.get(place)?.version ?? 0) === version;
      if (isPresent) rosters.set(place, next);
      return isPresent;
    },
    seenPins: async (userId) => pins.get(userId) ?? NO_SEEN_PINS,
    async changeSeenPins(userId, change) {
      pins.set(userId, change(pins.get(userId) ?? NO_SEEN_PINS));
    },
  };
}
