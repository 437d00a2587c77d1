import { expect, test } from 'vitest';
import { formatFileSize, formatStorageSize } from './file-size.ts';

test.each([
  [0, '0 B'],
  [1, '1 B'],
  [999, '999 B'],
  [1000, '1.00 kB'],
  [4212, '4.21 kB'],
  [12_345, '12.3 kB'],
  [123_456, '123 kB'],
  [999_499, '999 kB'],
  [999_999, '1.00 MB'],
  [26_214_400, '26.2 MB'],
  [1_500_000_000, '1.50 GB'],
])('%d bytes: %s', (bytes, text) => {
  expect(formatFileSize(bytes)).toBe(text);
});

test.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1 KiB'],
  [5 * 1024 ** 3, '5 GiB'],
  [5 * 1024 ** 3 - 20 * 1024 ** 2, '4.98 GiB'],
  [1024 ** 6, '1024 PiB'],
])('%d bytes of storage: %s', (bytes, text) => {
  expect(formatStorageSize(bytes)).toBe(text);
});
