import { expect, test } from 'vitest';
import { ageText } from './copy-age.ts';

test.each([
  [-3600, 'by a clock that is ahead of this device’s'],
  [-60, 'less than a minute old'],
  [0, 'less than a minute old'],
  [60, '1 minute old'],
  [3599, '59 minutes old'],
  [3600, '1 hour old'],
  [47 * 3600, '47 hours old'],
  [48 * 3600, '2 days old'],
  [29 * 86_400, '29 days old'],
])('%d seconds: %s', (seconds, text) => {
  expect(ageText(seconds)).toBe(text);
});
