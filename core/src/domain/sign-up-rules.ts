/** What a sign-up form must hold (specification §5, decision K8): errors block, warnings may be continued. Pure, for the client and for tests. */
import { passwordProblem } from '../crypto/password-form.ts';
import { isEmail } from './email.ts';

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
  /** What a form says more about. */
  readonly code?: 'identical';
}

/** How easily a password is guessed, 0 (at once) to 4 (hardly); null where nobody has looked. */
export interface Strengths {
  readonly password: number | null;
  readonly masterPassword: number | null;
}

/** What keeps a text from being a master password at all, at sign-up and when it is changed; null for nothing. */
export const masterPasswordProblem: (text: string) => 'empty' | 'long' | 'broken' | null = passwordProblem;

const WEAK_BELOW = 3;

/** Minimum of a password under the policy `strict`: characters, and strength from 0 to 4. */
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
    text: 'Master Password is longer than 1024 bytes',
    broken: (form) => masterPasswordProblem(form.masterPassword) === 'long',
  },
  {
    field: 'masterPassword',
    text: 'Master Password contains half of a character',
    broken: (form) => masterPasswordProblem(form.masterPassword) === 'broken',
  },
  {
    field: 'masterPasswordConfirmation',
    text: 'Master Password Confirmation mismatch to Master Password',
    broken: (form) => form.masterPassword !== form.masterPasswordConfirmation,
  },
];

/** The broken rules, in the order of the form. */
export function signUpErrors(form: SignUpForm): Finding[] {
  return RULES.filter(({ broken }) => broken(form)).map(({ field, text }) => ({ field, text }));
}

/** What deserves a second thought. Under the policy `strict` the caller treats these as errors. */
export function signUpWarnings(form: SignUpForm, strengths: Strengths): Finding[] {
  const warnings: Finding[] = [];
  if (form.masterPassword === form.password) {
    warnings.push({ field: 'masterPassword', text: 'Master Password is identical to Password', code: 'identical' });
  }
  if (isEasyToGuess(strengths.password)) warnings.push({ field: 'password', text: 'Password is easy to guess' });
  if (isEasyToGuess(strengths.masterPassword))
    warnings.push({ field: 'masterPassword', text: 'Master Password is easy to guess' });
  return warnings;
}

/** Counts characters, not UTF-16 code units. */
export const isShorterThan = (password: string, least: number): boolean =>
  // A character has at most two code units, so longer texts need no count.
  password.length < 2 * least && [...password].length < least;

/** @param strength 0 (guessed at once) to 4 (hardly); of null nobody knows, which the caller has to see to */
export const isEasyToGuess = (strength: number | null): boolean => strength !== null && strength < WEAK_BELOW;
