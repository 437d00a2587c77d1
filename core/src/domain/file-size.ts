/** File sizes in decimal units with three significant digits (specification §9): 4.21 kB. */
const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

export function formatFileSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  let unit = Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  let digits = (bytes / 1000 ** unit).toPrecision(3);
  // 999 999 bytes round up to the next unit.
  if (Number(digits) >= 1000 && unit < UNITS.length - 1) {
    unit += 1;
    digits = (bytes / 1000 ** unit).toPrecision(3);
  }
  return `${digits} ${UNITS[unit] ?? 'B'}`;
}
