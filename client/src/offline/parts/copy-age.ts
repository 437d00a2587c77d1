import type { CopyRecord } from '../../keyring/copy/copy-store.ts';
import { OFFLINE_COPY_TEXTS as TEXTS } from '../../texts/offline-copy.ts';
import { ClosedCopyError } from '../offline.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The banner warns from this age on. */
export const OLD_COPY_SECONDS = 7 * DAY;

const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'} old`;

/** @param seconds negative if a clock is wrong */
export function ageText(seconds: number): string {
  if (seconds < -5 * MINUTE) return 'by a clock that is ahead of this device’s';
  if (seconds < MINUTE) return 'less than a minute old';
  if (seconds < HOUR) return counted(Math.floor(seconds / MINUTE), 'minute');
  if (seconds < 2 * DAY) return counted(Math.floor(seconds / HOUR), 'hour');
  return counted(Math.floor(seconds / DAY), 'day');
}

const DAY_MS = 24 * 3_600_000;

const LIFE_MS = 30 * DAY_MS;

/** An expired copy is reported for this long. */
const TOLD_MS = 30 * DAY_MS;

/** A last sync further in the future is implausible. */
const MOST_AHEAD_MS = DAY_MS;

type Synced = Pick<CopyRecord, 'syncedAt'>;
type Expired = Pick<CopyRecord, 'syncedAt' | 'toldSince'>;

/**
 * Copies that are not synchronised expire (docs/spec/crypto.md §16), by this device's clock.
 * True if the last sync is unknown. @param now ms
 */
export function isExpired({ syncedAt }: Synced, now = Date.now()): boolean {
  return !Number.isFinite(syncedAt) || now - syncedAt >= LIFE_MS;
}

/** Whether this expiry is being reported, not an earlier or future one. */
export function isTold({ syncedAt, toldSince = NaN }: Expired, now = Date.now()): boolean {
  return toldSince >= syncedAt + LIFE_MS && toldSince <= now;
}

/** The record can be deleted. */
export function isLongExpired(record: Expired, now = Date.now()): boolean {
  return isTold(record, now) && now - (record.toldSince ?? now) >= TOLD_MS;
}

/** A last sync that makes a copy just expired. */
export const sinceExpired = (now = Date.now()): number => now - LIFE_MS;

/** The clock was set back. The copy stays, because the clock may be corrected. */
export function isAhead({ syncedAt }: Synced, now = Date.now()): boolean {
  return syncedAt - now > MOST_AHEAD_MS;
}

/** @throws ClosedCopyError */
export function checkTime(record: Synced): void {
  if (isExpired(record)) throw new ClosedCopyError(TEXTS.expired);
  if (isAhead(record)) throw new ClosedCopyError(TEXTS.clockBehind);
}
