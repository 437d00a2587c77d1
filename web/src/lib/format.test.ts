import { expect, test } from 'vitest';
import { formatTime } from './format.ts';

test.each([
  [new Date(2026, 10, 18, 9, 42, 59).toISOString(), '2026.11.18 09:42'],
  [new Date(2025, 0, 1, 0, 0, 0).toISOString(), '2025.01.01 00:00'],
  [new Date(2024, 1, 29, 23, 59).toISOString(), '2024.02.29 23:59'],
])('%s is %s', (time, text) => {
  expect(formatTime(time)).toBe(text);
});
