/** In the server's time zone; only the last missed hour runs (docs/spec/decisions.md H6). */
import { Cron } from 'croner';

const SECOND = 1000;

interface Slot {
  /** Local time, `2026-03-29T03`: one backup even if the hour occurs twice. */
  readonly slot: string;
  /** Unix time in ms. */
  readonly at: number;
}

const HOUR = 60 * 60_000;

/** Null if its hour had passed when the schedule was saved. */
export function dueSlot(
  { hours, chosenAt }: { readonly hours: readonly number[]; readonly chosenAt: number },
  timeZone: string,
  now: number,
): string | null {
  const slot = lastSlot(hours, timeZone, now);
  // Ignores a time from a wrong clock (R27).
  const isTold = chosenAt <= now + HOUR;
  return slot === null || (isTold && slot.at <= chosenAt) ? null : slot.slot;
}

/** Not in the future; null without hours. */
export function lastSlot(hours: readonly number[], timeZone: string, now: number): Slot | null {
  if (hours.length === 0) return null;
  const cron = new Cron(`0 0 ${hours.join(',')} * * *`, { timezone: timeZone, paused: true });
  // Excludes its reference and counts in seconds.
  const [last] = cron.previousRuns(1, new Date((Math.floor(now / SECOND) + 1) * SECOND));
  if (last === undefined || last.getTime() > now) return null;
  const { year, month, day, hour } = clockIn(timeZone, last.getTime());
  return { slot: `${year}-${month}-${day}T${hour}`, at: last.getTime() };
}

type Digits = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second';

/** Local time with leading zeros. `at` in ms */
export function clockIn(timeZone: string, at: number): Readonly<Record<Digits, string>> {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(at);
  const digits = (type: Digits) => parts.find((part) => part.type === type)?.value ?? '';
  const [year, month, day] = [digits('year'), digits('month'), digits('day')];
  return { year, month, day, hour: digits('hour'), minute: digits('minute'), second: digits('second') };
}
