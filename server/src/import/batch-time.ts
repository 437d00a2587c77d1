/** Milliseconds of a time that an imported file tells; what it cannot know, such as the future or nothing at all, is now. */
export function timeOf(told: string | number | undefined, now: number): number {
  const time = typeof told === 'string' ? Date.parse(told) : (told ?? Number.NaN);
  return time > 0 && time <= now ? time : now;
}
