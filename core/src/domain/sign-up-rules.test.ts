import { describe, expect, test } from 'vitest';
import { type SignUpForm, signUpErrors, signUpWarnings } from './sign-up-rules.ts';

const GOOD: SignUpForm = {
  name: 'Ada',
  email: 'ada@example.org',
  password: 'long enough to sign in',
  passwordConfirmation: 'long enough to sign in',
  masterPassword: 'quite another long one',
  masterPasswordConfirmation: 'quite another long one',
};

describe('errors block a sign-up', () => {
  test.each<[string, Partial<SignUpForm>, string[]]>([
    ['a good form', {}, []],
    ['no name', { name: '' }, ['User Name is empty']],
    ['a blank name', { name: ' \t ' }, ['User Name is empty']],
    ['no e-mail', { email: '' }, ['Incorrect email']],
    ['an e-mail without a dot in its domain', { email: 'mira@example' }, ['Incorrect email']],
    ['an e-mail with a line break', { email: 'a@b.c\r\nBcc: x@y.z' }, ['Incorrect email']],
    ['no password', { password: '', passwordConfirmation: '' }, ['Password is empty']],
    ['another confirmation', { passwordConfirmation: 'x' }, ['Password Confirmation mismatch to Password']],
    ['spaces count', { passwordConfirmation: `${GOOD.password} ` }, ['Password Confirmation mismatch to Password']],
    ['no master password', { masterPassword: '', masterPasswordConfirmation: '' }, ['Master Password is empty']],
    ...(
      [
        ['a master password of 1025 bytes', `${'x'.repeat(1023)}é`, 'too long'],
        ['a master password that nobody reads', 'x'.repeat(100_000), 'too long'],
        ['a broken character', 'violet \ud83d quay', 'contains a character that cannot be used'],
      ] as const
    ).map(([name, text, why]): [string, Partial<SignUpForm>, string[]] => [
      name,
      { masterPassword: text, masterPasswordConfirmation: text },
      [why.startsWith('contains') ? `Master Password ${why}` : `Master Password is ${why}`],
    ]),
    [
      'another master confirmation',
      { masterPasswordConfirmation: 'x' },
      ['Master Password Confirmation mismatch to Master Password'],
    ],
    [
      'nothing filled in',
      {
        name: '',
        email: '',
        password: '',
        passwordConfirmation: '',
        masterPassword: '',
        masterPasswordConfirmation: '',
      },
      ['User Name is empty', 'Incorrect email', 'Password is empty', 'Master Password is empty'],
    ],
  ])('%s', (_, change, texts) => {
    expect(signUpErrors({ ...GOOD, ...change }).map(({ text }) => text)).toEqual(texts);
  });
});

describe('warnings can be ignored by the person', () => {
  const same = { masterPassword: GOOD.password, masterPasswordConfirmation: GOOD.password };
  test.each<[string, Partial<SignUpForm>, [number | null, number | null], string[]]>([
    ['no warnings', {}, [4, 4], []],
    ['strength not measured', {}, [null, null], []],
    ['both passwords the same', same, [4, 4], ['Master Password is identical to Password']],
    ['a weak password', {}, [2, 4], ['Password is easy to guess']],
    ['a weak master password', {}, [3, 0], ['Master Password is easy to guess']],
    [
      'all at once',
      same,
      [0, 0],
      ['Master Password is identical to Password', 'Password is easy to guess', 'Master Password is easy to guess'],
    ],
  ])('%s', (_, change, [password, masterPassword], texts) => {
    expect(signUpWarnings({ ...GOOD, ...change }, { password, masterPassword }).map(({ text }) => text)).toEqual(texts);
  });

  test('the warning about identical passwords has a code', () => {
    const warnings = signUpWarnings({ ...GOOD, ...same }, { password: 4, masterPassword: 0 });
    expect(warnings.map(({ code }) => code)).toEqual(['identical', undefined]);
  });
});
