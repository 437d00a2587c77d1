/** How long a copy lives without the server (crypto.md §16), by this device's clock. */
import type { CopyRecord } from '../keyring/copy/copy-store.ts';

const DAY_MS = 24 * 3_600_000;

/** Without a sync for so long a copy is gone. */
const LIFE_MS = 30 * DAY_MS;

/** A clock may have been put right meanwhile; a sync that lies further ahead never was. */
const MOST_AHEAD_MS = DAY_MS;

/** @param now milliseconds */
export function isExpired({ syncedAt }: Pick<CopyRecord, 'syncedAt'>, now = Date.now()): boolean {
  const age = now - syncedAt;
  return !(age < LIFE_MS && age >= -MOST_AHEAD_MS);
}
