/** Times as the product writes them (specification §9): `YYYY.MM.DD HH:mm`, in the browser's zone. */

const two = (part: number) => String(part).padStart(2, '0');

/** `formatTime('2026-11-18T09:42:10.000Z')` → '2026.11.18 09:42'; a text that is no time comes back as it is. */
export function formatTime(time: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return time;
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('.');
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
