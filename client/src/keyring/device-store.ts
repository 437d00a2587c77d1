/** The own copy of the trust record on this device, sealed under the person's keys. It is kept at logout. */

/** A sealed document with its number. */
export interface DeviceRow {
  readonly version: number;
  readonly blob_base64: string;
}

export interface DeviceStore {
  /** The own copy of the trust record; null: none. `place`: user id and fingerprint. Rejects if the browser has no storage. */
  record(place: string): Promise<DeviceRow | null>;
  /** Compare-and-set against other tabs: writes if the present row has this version (0: no row). @returns whether it wrote */
  replaceRecord(place: string, version: number, next: DeviceRow): Promise<boolean>;
  /** The accepted lists of release 1.0, for taking them over. */
  rosters(place: string): Promise<DeviceRow | null>;
  /** Version of the newest document `pins` that release 1.0 has seen in this browser under this key; null: none. */
  seenPins(userId: string, fingerprint: string): Promise<number | null>;
}
