/** This browser's copy of the trust record, sealed under the person's keys. Logout keeps it. */

export interface DeviceRow {
  readonly version: number;
  readonly blob_base64: string;
}

export interface DeviceStore {
  /** Null: none. `place`: user id and fingerprint. Rejects if the browser has no storage. */
  record(place: string): Promise<DeviceRow | null>;
  /**
   * Compare-and-set against other tabs: writes if the present version is `version` (0: no row). @returns
   * whether it wrote
   */
  replaceRecord(place: string, version: number, next: DeviceRow): Promise<boolean>;
  /** Accepted lists of release 1.0. */
  rosters(place: string): Promise<DeviceRow | null>;
  /** Newest version of `pins` that release 1.0 saw in this browser under this key; null: none. */
  seenPins(userId: string, fingerprint: string): Promise<number | null>;
}
