/** Hint that a wrong device clock makes TOTP codes wrong (docs/spec/threats.md M34). */
import { FIELD_TEXTS as TEXTS } from '../../texts/entries/fields.ts';

/** The usual lifetime of a code. */
const MOST_MS = 30_000;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const UNITS: readonly (readonly [number, string])[] = [
  [2 * DAY, 'day'],
  [2 * HOUR, 'hour'],
  [2 * MINUTE, 'minute'],
];
const SIZES: Readonly<Record<string, number>> = { day: DAY, hour: HOUR, minute: MINUTE };

/** In the largest unit with at least two, rounded. */
export function differenceText(milliseconds: number): string {
  const unit = UNITS.find(([least]) => milliseconds >= least)?.[1] ?? 'second';
  return `${Math.round(milliseconds / (SIZES[unit] ?? 1000))} ${unit}s`;
}

interface Known {
  /** Milliseconds that the device is ahead of the server. */
  readonly difference: number;
  /** Milliseconds of the device's clock. */
  readonly now: number;
  /** Offline: when the local copy was made, in Unix seconds of the server's clock. */
  readonly copyOf: number | null;
}

/** null if the clock is not known to be wrong. */
export function clockHint({ difference, now, copyOf }: Known): string | null {
  if (Math.abs(difference) > MOST_MS) return TEXTS.clockOff(differenceText(Math.abs(difference)), difference > 0);
  const behind = copyOf === null ? 0 : copyOf * 1000 - now;
  return behind > MOST_MS ? TEXTS.clockBehindCopy(differenceText(behind)) : null;
}
