import type { DeviceStore, DeviceRow } from '../keyring/trust/own-copy.ts';
/** A device store in memory. Like IndexedDB it outlives keyrings. */

/** The content of the store; it can be cloned to restore an earlier state of a device. */
export interface StoredRecords {
  readonly records: Map<string, DeviceRow>;
  /** Rows of release 1.0. */
  readonly rosters: Map<string, DeviceRow>;
  readonly pins: Map<string, number>;
}

export const emptyDevice = (): StoredRecords => ({ records: new Map(), rosters: new Map(), pins: new Map() });

export function deviceStoreInMemory({ records, rosters, pins }: StoredRecords = emptyDevice()): DeviceStore {
  return {
    record: async (place) => records.get(place) ?? null,
    async replaceRecord(place, version, next) {
      const isPresent = (records.get(place)?.version ?? 0) === version;
      if (isPresent) records.set(place, next);
      return isPresent;
    },
    rosters: async (place) => rosters.get(place) ?? null,
    seenPins: async (userId) => pins.get(userId) ?? null,
  };
}
