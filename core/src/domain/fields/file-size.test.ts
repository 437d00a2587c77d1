import { expect, test } from 'vitest';
import { formatFileSize } from './file-size.ts';

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
  [5 * 1024 ** 3, '5.37 GB'],
  [1024 ** 6, '1.15 EB'],
])('%d bytes: %s', (bytes, text) => {
  expect(formatFileSize(bytes)).toBe(text);
});
