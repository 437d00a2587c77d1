export interface GeneratorSettings {
  readonly length: number;
  readonly lowercase: boolean;
  readonly uppercase: boolean;
  readonly digits: boolean;
  readonly common: boolean;
  readonly brackets: boolean;
  readonly special: boolean;
}

export const DEFAULTS: GeneratorSettings = {
  length: 24,
  lowercase: true,
  uppercase: true,
  digits: true,
  common: true,
  brackets: false,
  special: false,
};

export const CHARACTERS = {
  lowercase: 'abcdefghijklmnopqrstuvwxyz',
  uppercase: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  digits: '0123456789',
  common: '-_',
  brackets: '()[]{}',
  special: '!@#$%^*&',
} as const;

type ClassName = keyof typeof CHARACTERS;
const CLASS_NAMES = Object.keys(CHARACTERS) as readonly ClassName[];

export type RandomSource = (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>;

const systemRandom: RandomSource = (bytes) => crypto.getRandomValues(bytes);
const ATTEMPTS = 10_000;

const chosenClasses = (settings: GeneratorSettings) =>
  CLASS_NAMES.filter((name) => settings[name]).map((name) => CHARACTERS[name]);

/** Uniform, `limit` ≤ 256. Discards bytes above the last full multiple. */
function* numbersBelow(limit: number, random: RandomSource): Generator<number, never> {
  const usable = 256 - (256 % limit);
  for (;;) {
    for (const byte of random(new Uint8Array(64))) {
      if (byte < usable) yield byte % limit;
    }
  }
}

/**
 * Draws until the password has every chosen class, so that all are equally likely (docs/spec/product.md §9).
 * @throws RangeError if no class is chosen or the length is impossible
 */
export function generatePassword(settings: GeneratorSettings, random: RandomSource = systemRandom): string {
  const classes = chosenClasses(settings);
  const { length } = settings;
  const isPossible = classes.length > 0 && Number.isInteger(length) && length >= classes.length && length <= 1024;
  if (!isPossible) throw new RangeError('Choose a class of characters, and a length for all chosen classes');
  const pool = classes.join('');
  const numbers = numbersBelow(pool.length, random);
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const password = Array.from({ length }, () => pool[numbers.next().value]).join('');
    if (classes.every((characters) => Array.from(characters).some((character) => password.includes(character))))
      return password;
  }
  throw new Error('The random source never gives a valid password');
}

/** Entropy in bits. */
export function strengthBits(settings: GeneratorSettings): number {
  const pool = chosenClasses(settings).join('').length;
  return pool === 0 ? 0 : settings.length * Math.log2(pool);
}
