/**
 * The sign-up form (docs/spec/product.md §5, docs/spec/decisions.md K8): errors block it, warnings can be
 * accepted.
 */
import { passwordProblem } from '../crypto/password-form.ts';
import { translated } from '../texts.ts';

export interface SignUpForm {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly passwordConfirmation: string;
  readonly masterPassword: string;
  readonly masterPasswordConfirmation: string;
}

export type SignUpField = keyof SignUpForm;

export interface Finding {
  readonly field: SignUpField;
  readonly text: string;
  readonly code?: 'identical';
}

/** zxcvbn scores 0 (weak) to 4; null if not known yet. */
export interface Strengths {
  readonly password: number | null;
  readonly masterPassword: number | null;
}

export const masterPasswordProblem: (text: string) => 'empty' | 'long' | 'broken' | null = passwordProblem;

const WEAK_BELOW = 3;

export const STRICT_PASSWORD = { length: 12, score: WEAK_BELOW } as const;

const RULES: readonly {
  readonly field: SignUpField;
  readonly text: string;
  readonly broken: (form: SignUpForm) => boolean;
}[] = [
  { field: 'name', text: 'User Name is empty', broken: (form) => form.name.trim() === '' },
  { field: 'email', text: 'Incorrect email', broken: (form) => !isEmail(form.email.trim()) },
  { field: 'password', text: 'Password is empty', broken: (form) => form.password === '' },
  {
    field: 'passwordConfirmation',
    text: 'Password Confirmation mismatch to Password',
    broken: (form) => form.password !== form.passwordConfirmation,
  },
  {
    field: 'masterPassword',
    text: 'Master Password is empty',
    broken: (form) => masterPasswordProblem(form.masterPassword) === 'empty',
  },
  {
    field: 'masterPassword',
    text: 'Master Password is too long',
    broken: (form) => masterPasswordProblem(form.masterPassword) === 'long',
  },
  {
    field: 'masterPassword',
    text: 'Master Password contains a character that cannot be used',
    broken: (form) => masterPasswordProblem(form.masterPassword) === 'broken',
  },
  {
    field: 'masterPasswordConfirmation',
    text: 'Master Password Confirmation mismatch to Master Password',
    broken: (form) => form.masterPassword !== form.masterPasswordConfirmation,
  },
];

export function signUpErrors(form: SignUpForm): Finding[] {
  return RULES.filter(({ broken }) => broken(form)).map(({ field, text }) => ({ field, text: translated(text) }));
}

/** The policy `strict` treats them as errors. */
export function signUpWarnings(form: SignUpForm, strengths: Strengths): Finding[] {
  const warnings: Finding[] = [];
  if (form.masterPassword === form.password) {
    warnings.push({ field: 'masterPassword', text: 'Master Password is identical to Password', code: 'identical' });
  }
  if (isEasyToGuess(strengths.password)) warnings.push({ field: 'password', text: 'Password is easy to guess' });
  if (isEasyToGuess(strengths.masterPassword))
    warnings.push({ field: 'masterPassword', text: 'Master Password is easy to guess' });
  return warnings.map((warning) => ({ ...warning, text: translated(warning.text) }));
}

/** Counts characters, not UTF-16 code units. */
export const isShorterThan = (password: string, least: number): boolean =>
  // At most two code units each.
  password.length < 2 * least && [...password].length < least;

/** Null counts as not easy. */
export const isEasyToGuess = (strength: number | null): boolean => strength !== null && strength < WEAK_BELOW;

/** One `@`, a domain with a dot, no characters that are special in mail headers. */
export function isEmail(text: string): boolean {
  return (
    text.length <= 254 &&
    /^[^\s@<>()[\],;:\\"\p{Cc}]+@[^\s@<>()[\],;:\\"\p{Cc}.]+(\.[^\s@<>()[\],;:\\"\p{Cc}.]+)+$/u.test(text)
  );
}
