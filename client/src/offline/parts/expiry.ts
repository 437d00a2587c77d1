/** How long a copy lives without the server (docs/spec/crypto.md §16), by this device's clock. */
import type { CopyRecord } from '../../keyring/copy/copy-store.ts';
import { OFFLINE_COPY_TEXTS as TEXTS } from '../../texts/offline-copy.ts';
import { ClosedCopyError } from '../offline-copy-error.ts';

const DAY_MS = 24 * 3_600_000;

/** Without a sync for so long a copy is gone. */
const LIFE_MS = 30 * DAY_MS;

/** That it is gone is told to whoever signs in here for so long, from the first page on that could tell it. */
const TOLD_MS = 30 * DAY_MS;

/** A clock may have been put right meanwhile; with a sync that lies further ahead it tells no age. */
const MOST_AHEAD_MS = DAY_MS;

type Synced = Pick<CopyRecord, 'syncedAt'>;
type Expired = Pick<CopyRecord, 'syncedAt' | 'toldSince'>;

/** Of no time that is known, or too old: then it goes. @param now milliseconds */
export function isExpired({ syncedAt }: Synced, now = Date.now()): boolean {
  return !Number.isFinite(syncedAt) || now - syncedAt >= LIFE_MS;
}

/** Whether it is being told already that it has expired, and not that it had done so once before, or will. @param now milliseconds */
export function isTold({ syncedAt, toldSince = NaN }: Expired, now = Date.now()): boolean {
  return toldSince >= syncedAt + LIFE_MS && toldSince <= now;
}

/** Told for so long that it is gone: then that is forgotten too. @param now milliseconds */
export function isLongExpired(record: Expired, now = Date.now()): boolean {
  return isTold(record, now) && now - (record.toldSince ?? now) >= TOLD_MS;
}

/** The time of a last sync that makes a copy as old as one that has just expired. @param now milliseconds */
export const sinceExpired = (now = Date.now()): number => now - LIFE_MS;

/** By a clock that was set back, or that stopped. Such a copy stays: it may be needed before the clock is right. @param now milliseconds */
export function isAhead({ syncedAt }: Synced, now = Date.now()): boolean {
  return syncedAt - now > MOST_AHEAD_MS;
}

/** Whether it may be opened now. @throws ClosedCopyError */
export function checkTime(record: Synced): void {
  if (isExpired(record)) throw new ClosedCopyError(TEXTS.expired);
  if (isAhead(record)) throw new ClosedCopyError(TEXTS.clockBehind);
}
