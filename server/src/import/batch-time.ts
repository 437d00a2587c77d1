/** Milliseconds of a time that an imported file tells; what it cannot know, such as the future or nothing at all, is now. */
export function timeOf(text: string | undefined, now: number): number {
  const time = text === undefined ? Number.NaN : Date.parse(text);
  return time > 0 && time <= now ? time : now;
}
