/** Where the arrow keys lead in the picker of hours: 24 of them in rows, one stop of the Tab key. */

const HOURS = 24;

/** @param perRow how many stand beside one another; @returns null for a key that moves nothing */
export function hourAfterKey(hour: number, key: string, perRow: number): number | null {
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: hour + 1,
    ArrowLeft: hour - 1,
    ArrowDown: hour + perRow,
    ArrowUp: hour - perRow,
    Home: 0,
    End: HOURS - 1,
  };
  const next = steps[key];
  return next === undefined || next < 0 || next >= HOURS ? null : next;
}

/** The hours with that one put in or taken out, ascending. */
export function toggledHour(hours: readonly number[], hour: number): readonly number[] {
  return hours.includes(hour) ? hours.filter((one) => one !== hour) : [...hours, hour].sort((a, b) => a - b);
}
