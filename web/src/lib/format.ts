import { keptChoice } from '@passwordbroker/client/kept-choice';

export type DateFormat = 'plain' | 'locale';

export const dateFormat = keptChoice<DateFormat>(
  'passwordbroker.dates',
  'plain',
  (text) => (text === 'plain' || text === 'locale' ? text : null),
  () => localStorage,
);

const inLocale = new Intl.DateTimeFormat(undefined, { dateStyle: 'short', timeStyle: 'short' });

/** In the zone of this device: `YYYY.MM.DD HH:mm` (docs/spec/product.md §9), or as the browser's language has it. */
export function formatTime(time: string | number): string {
  if (dateFormat.get() === 'locale') return inLocale.format(new Date(time));
  const date = new Date(time);
  return `${formatDay(date, '.')} ${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
}

/** Year, month and day in the zone of this device. */
export const formatDay = (date: Date, separator: '.' | '-') =>
  [date.getFullYear(), twoDigits(date.getMonth() + 1), twoDigits(date.getDate())].join(separator);

const twoDigits = (number: number) => String(number).padStart(2, '0');
