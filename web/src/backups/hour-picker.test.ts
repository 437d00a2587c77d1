import { expect, test } from 'vitest';
import { hourAfterKey, toggledHour } from './schedule-form.tsx';

test.each([
  [0, 'ArrowRight', 12, 1],
  [11, 'ArrowRight', 12, 12],
  [12, 'ArrowLeft', 12, 11],
  [5, 'ArrowDown', 12, 17],
  [5, 'ArrowDown', 6, 11],
  [17, 'ArrowUp', 12, 5],
  [7, 'Home', 12, 0],
  [7, 'End', 6, 23],
])('from %i by %s with %i in a row to %i', (hour, key, perRow, expected) => {
  expect(hourAfterKey(hour, key, perRow)).toBe(expected);
});

test.each([
  [0, 'ArrowLeft'],
  [23, 'ArrowRight'],
  [3, 'ArrowUp'],
  [20, 'ArrowDown'],
  [3, 'Enter'],
  [3, 'a'],
])('from %i %s stays in place', (hour, key) => {
  expect(hourAfterKey(hour, key, 12)).toBeNull();
});

test('adds an hour in order and removes it', () => {
  expect(toggledHour([3, 15], 9)).toEqual([3, 9, 15]);
  expect(toggledHour([3, 9, 15], 9)).toEqual([3, 15]);
});
