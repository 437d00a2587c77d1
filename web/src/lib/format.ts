import dayjs from 'dayjs';

/** `YYYY.MM.DD HH:mm` in the zone of this device (docs/spec/product.md §9). */
export function formatTime(time: string | number): string {
  return dayjs(time).format('YYYY.MM.DD HH:mm');
}
