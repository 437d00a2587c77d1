/** Dates and times as the product shows them (docs/spec/product.md §9). */
import dayjs from 'dayjs';

/** `YYYY.MM.DD HH:mm` in the zone of this device. */
export function formatTime(time: string | number): string {
  return dayjs(time).format('YYYY.MM.DD HH:mm');
}
