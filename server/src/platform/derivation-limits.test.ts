import { expect, test } from 'vitest';
import { derivationLimits } from './derivation-limits.ts';

const MIB = 1024 * 1024;

test.each([
  [1, 128 * MIB, 1],
  [2, 16_384 * MIB, 2],
  [4, 600 * MIB, 2],
  [64, 262_144 * MIB, 8],
])('%i cores and %i bytes derive %i keys at once', (cores, memory, atOnce) => {
  expect(derivationLimits({ cores, memory })).toEqual({ atOnce, waiting: 32, patience: 15_000 });
});
