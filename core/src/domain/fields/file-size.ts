/** Three significant digits (docs/spec/product.md §9): 4.21 kB. */
const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

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

const BINARY_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;

/** `5 GiB`, `4.98 GiB`, `0 B`. */
export function formatStorageSize(bytes: number): string {
  let [value, unit] = [bytes, 0];
  for (; value >= 1024 && unit < BINARY_UNITS.length - 1; unit += 1) value /= 1024;
  return `${Number(value.toFixed(2))} ${BINARY_UNITS[unit] ?? 'B'}`;
}
