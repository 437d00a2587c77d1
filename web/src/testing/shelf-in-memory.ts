/** A device's shelf without a browser: it outlives keyrings, as IndexedDB does. */
import type { StoredDocument } from '@passwordbroker/core/domain/documents';
import type { DeviceShelf } from '../keyring/device-shelf.ts';
import { NO_SEEN_PINS, type SeenPins } from '../keyring/seen-pins.ts';

export function shelfInMemory(): DeviceShelf {
  const rosters = new Map<string, StoredDocument>();
  const pins = new Map<string, SeenPins>();
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
