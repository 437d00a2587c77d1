import { expect, test } from 'vitest';
import { initialsOf } from './person-initials.tsx';

test.each([
  ['Mira Okafor', 'MO'],
  ['ada', 'A'],
  ['  Jonas   van der Berg ', 'JB'],
  ['Ünal Öz', 'ÜÖ'],
  ['🔑 Key', '🔑K'],
  ['', ''],
])('%s: %s', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});
