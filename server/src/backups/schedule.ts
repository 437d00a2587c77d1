/** When backups are due (docs/spec/decisions.md H6): at hours of the server's zone; of those missed while nobody ran, the last one is made up once. */
import { Cron } from 'croner';
import { clockIn } from './zone.ts';

const SECOND = 1000;

export interface Slot {
  /** The hour that the clocks of the zone showed, `2026-03-29T03`: one backup each, also when it comes twice in a night. */
  readonly slot: string;
  /** Milliseconds. */
  readonly at: number;
}

const HOUR = 60 * 60_000;

/** The newest slot that is due: not an hour that had passed when it was chosen, because it was not missed. */
export function dueSlot(
  { hours, chosenAt }: { readonly hours: readonly number[]; readonly chosenAt: number },
  timeZone: string,
  now: number,
): string | null {
  const slot = lastSlot(hours, timeZone, now);
  // A clock that was far ahead when they were chosen says nothing about today (R27).
  const isTold = chosenAt <= now + HOUR;
  return slot === null || (isTold && slot.at <= chosenAt) ? null : slot.slot;
}

/** The newest slot that is not in the future; null where there are no hours. */
export function lastSlot(hours: readonly number[], timeZone: string, now: number): Slot | null {
  if (hours.length === 0) return null;
  const cron = new Cron(`0 0 ${hours.join(',')} * * *`, { timezone: timeZone, paused: true });
  // The reference itself is not counted, and seconds are the smallest thing that it knows.
  const [last] = cron.previousRuns(1, new Date((Math.floor(now / SECOND) + 1) * SECOND));
  if (last === undefined || last.getTime() > now) return null;
  const { year, month, day, hour } = clockIn(timeZone, last.getTime());
  return { slot: `${year}-${month}-${day}T${hour}`, at: last.getTime() };
}
