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
