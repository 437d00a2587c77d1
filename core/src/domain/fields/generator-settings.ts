import { CHARACTERS, DEFAULTS, type GeneratorSettings } from './password-generator.ts';

export type Settings = GeneratorSettings;
export type ClassName = keyof typeof CHARACTERS;

/** docs/spec/product.md §9. */
export const DEFAULT_SETTINGS: Settings = DEFAULTS;

export const LENGTHS = { min: 4, max: 64 } as const;

export const CLASSES = [
  { name: 'lowercase', sample: 'a-z' },
  { name: 'uppercase', sample: 'A-Z' },
  { name: 'digits', sample: '0-9' },
  { name: 'common', sample: CHARACTERS.common },
  { name: 'brackets', sample: CHARACTERS.brackets },
  { name: 'special', sample: CHARACTERS.special },
] as const satisfies readonly { name: ClassName; sample: string }[];

/** Whether this class is the only one that is on, so it cannot be turned off. */
export function isLastClass(settings: Settings, name: ClassName): boolean {
  return settings[name] && CLASSES.every((one) => one.name === name || !settings[one.name]);
}

export function withClass(settings: Settings, name: ClassName, isOn: boolean): Settings {
  return !isOn && isLastClass(settings, name) ? settings : withLength({ ...settings, [name]: isOn }, settings.length);
}

/** Clamps to the range and to one character per class. */
export function withLength(settings: Settings, length: number): Settings {
  const least = Math.max(LENGTHS.min, CLASSES.filter(({ name }) => settings[name]).length);
  const whole = Number.isFinite(length) ? Math.round(length) : LENGTHS.min;
  return { ...settings, length: Math.min(LENGTHS.max, Math.max(least, whole)) };
}

/** What a password of this entropy resists: 1 online guessing, 2 one machine, 3 a server farm, 4 all. */
export function strengthOf(bits: number): 1 | 2 | 3 | 4 {
  if (bits < 45) return 1;
  if (bits < 70) return 2;
  return bits < 100 ? 3 : 4;
}
