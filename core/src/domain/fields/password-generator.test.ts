import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CHARACTERS, DEFAULTS, type GeneratorSettings, generatePassword, strengthBits } from './password-generator.ts';

const NONE: GeneratorSettings = {
  length: 24,
  lowercase: false,
  uppercase: false,
  digits: false,
  common: false,
  brackets: false,
  special: false,
};
const settingsOf = fc
  .record({
    length: fc.integer({ min: 6, max: 64 }),
    lowercase: fc.boolean(),
    uppercase: fc.boolean(),
    digits: fc.boolean(),
    common: fc.boolean(),
    brackets: fc.boolean(),
    special: fc.boolean(),
  })
  .filter((settings) => Object.values(settings).includes(true));

describe('generated passwords', () => {
  test('contain every chosen class and nothing else, and have the requested length', () => {
    fc.assert(
      fc.property(settingsOf, (settings) => {
        const password = generatePassword(settings);
        expect(password).toHaveLength(settings.length);
        for (const [name, characters] of Object.entries(CHARACTERS)) {
          const isThere = Array.from(password).some((character) => characters.includes(character));
          expect(isThere).toBe(settings[name as keyof typeof CHARACTERS]);
        }
      }),
      { numRuns: 1000 },
    );
  });

  test('the defaults of the specification', () => {
    expect(DEFAULTS).toEqual({ ...NONE, length: 24, lowercase: true, uppercase: true, digits: true, common: true });
    expect(generatePassword(DEFAULTS)).toMatch(/^[A-Za-z0-9_-]{24}$/);
  });

  test('of minimum length have one character of each class', () => {
    const all = {
      ...NONE,
      length: 6,
      lowercase: true,
      uppercase: true,
      digits: true,
      common: true,
      brackets: true,
      special: true,
    };
    expect(generatePassword(all)).toHaveLength(6);
  });

  test.each<[string, Partial<GeneratorSettings>]>([
    ['no class', {}],
    ['a length below the number of classes', { length: 1, digits: true, lowercase: true }],
    ['a fractional length', { length: 3.5, digits: true }],
    ['a length of zero', { length: 0, digits: true }],
    ['a huge length', { length: 1025, digits: true }],
  ])('refused: %s', (_, change) => {
    expect(() => generatePassword({ ...NONE, ...change })).toThrow(RangeError);
  });

  test('bytes above the last full multiple are discarded, so all digits are equally likely', () => {
    // Without rejection, bytes 250–255 would map to 0–5.
    let next = 250;
    const random = (bytes: Uint8Array<ArrayBuffer>) => bytes.fill(0).map(() => (next < 256 ? next++ : 7));
    expect(generatePassword({ ...NONE, length: 4, digits: true }, random)).toBe('7777');
  });

  test('all digits are equally likely (chi-squared, 9 degrees of freedom, one false alarm in a million)', () => {
    const counts = Array.from({ length: 10 }, () => 0);
    for (let round = 0; round < 500; round += 1) {
      for (const digit of generatePassword({ ...NONE, length: 64, digits: true })) counts[Number(digit)]! += 1;
    }
    const expected = (500 * 64) / 10;
    expect(counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)).toBeLessThan(45);
  });

  test('fails with a constant random source instead of looping', () => {
    expect(() =>
      generatePassword({ ...NONE, length: 4, digits: true, lowercase: true }, (bytes) => bytes.fill(0)),
    ).toThrow();
  });
});

test.each<[Partial<GeneratorSettings>, number]>([
  [{}, 0],
  [{ digits: true, length: 10 }, 33.219],
  [{ lowercase: true, uppercase: true, digits: true, common: true }, 144],
])('strength of %j is %d bits', (change, bits) => {
  expect(strengthBits({ ...NONE, ...change })).toBeCloseTo(bits, 2);
});
