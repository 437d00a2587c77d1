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
