import { describe, expect, test } from 'vitest';
import {
  CLASSES,
  DEFAULT_SETTINGS,
  isLastClass,
  strengthOf,
  withClass,
  withLength,
  type ClassName,
  type Settings,
} from './generator-settings.ts';

const only = (...names: ClassName[]): Settings => ({
  ...DEFAULT_SETTINGS,
  ...Object.fromEntries(CLASSES.map(({ name }) => [name, names.includes(name)])),
});

describe('the settings of the generator (docs/spec/product.md §9)', () => {
  test('start with 24 characters of lowercase, uppercase, digits and common', () => {
    expect(DEFAULT_SETTINGS).toEqual({
      length: 24,
      lowercase: true,
      uppercase: true,
      digits: true,
      common: true,
      brackets: false,
      special: false,
    });
  });

  test.each<[Settings, ClassName, boolean]>([
    [only('digits'), 'digits', true],
    [only('digits', 'special'), 'digits', false],
    [only('digits'), 'special', false],
  ])('the last class cannot be turned off (%#)', (settings, name, isLast) => {
    expect(isLastClass(settings, name)).toBe(isLast);
    expect(withClass(settings, name, false)[name]).toBe(isLast);
  });

  test.each([
    [0, 4],
    [4, 4],
    [24.4, 24],
    [64, 64],
    [1000, 64],
    [Number.NaN, 4],
  ])('length %d: %d', (length, kept) => {
    expect(withLength(DEFAULT_SETTINGS, length).length).toBe(kept);
  });

  test('a length below the number of classes is raised', () => {
    const short = withLength(only('digits'), 4);
    const all = CLASSES.reduce((settings, { name }) => withClass(settings, name, true), short);
    expect(all.length).toBe(CLASSES.length);
  });

  test.each([
    [0, 1],
    [44, 1],
    [45, 2],
    [70, 3],
    [144, 4],
  ])('%d bits: %d', (bits, strength) => {
    expect(strengthOf(bits)).toBe(strength);
  });
});
