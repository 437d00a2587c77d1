/** Decimal units, three significant digits (docs/spec/product.md §9): 4.21 kB. */
const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB'] as const;

export function formatFileSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  let unit = Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  let digits = (bytes / 1000 ** unit).toPrecision(3);
  if (Number(digits) >= 1000 && unit < UNITS.length - 1) {
    unit += 1;
    digits = (bytes / 1000 ** unit).toPrecision(3);
  }
  return `${digits} ${UNITS[unit] ?? 'B'}`;
}
