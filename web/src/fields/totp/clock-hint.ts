/** What is said at a TOTP code that a wrong clock makes (threats M34). */
import { FIELD_TEXTS as TEXTS } from '../../texts/fields.ts';

/** As long as a code of most services lives. */
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

/** In the largest unit of which it is two, rounded. */
export function differenceText(milliseconds: number): string {
  const unit = UNITS.find(([least]) => milliseconds >= least)?.[1] ?? 'second';
  return `${Math.round(milliseconds / (SIZES[unit] ?? 1000))} ${unit}s`;
}

interface Known {
  /** Milliseconds that the device is ahead of the server. */
  readonly difference: number;
  /** Milliseconds, by the device's clock. */
  readonly now: number;
  /** While the page works from a local copy: Unix seconds of the server's clock when that was made. */
  readonly copyOf: number | null;
}

/** null: nothing is wrong, as far as it is known. */
export function clockHint({ difference, now, copyOf }: Known): string | null {
  if (Math.abs(difference) > MOST_MS) return TEXTS.clockOff(differenceText(Math.abs(difference)), difference > 0);
  const behind = copyOf === null ? 0 : copyOf * 1000 - now;
  return behind > MOST_MS ? TEXTS.clockBehindCopy(differenceText(behind)) : null;
}
