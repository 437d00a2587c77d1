import { describe, expect, test } from 'vitest';
import { changeErrors, changeWarnings } from './change-rules.ts';

describe('the form of a new master password', () => {
  test.each([
    [
      'nothing typed',
      { old: '', next: '', confirmation: '' },
      ['MasterPassword is missing', 'Master Password is empty'],
    ],
    [
      'different confirmation',
      { old: 'o', next: 'a', confirmation: 'b' },
      ['Master Password Confirmation mismatch to Master Password'],
    ],
    ['too long', { old: 'o', next: 'x'.repeat(1025), confirmation: 'x'.repeat(1025) }, ['Master Password is too long']],
    [
      'unpaired surrogate',
      { old: 'o', next: '\ud800', confirmation: '\ud800' },
      ['Master Password contains a character that cannot be used'],
    ],
    ['complete', { old: 'o', next: 'n', confirmation: 'n' }, []],
    ['spaces count', { old: ' ', next: ' ', confirmation: ' ' }, []],
  ])('errors: %s', (_, form, texts) => {
    expect(changeErrors(form).map(({ text }) => text)).toEqual(texts);
  });

  test.each([
    ['easy', 'n', 2, ['Master Password is easy to guess']],
    ['hard', 'n', 3, []],
    ['unknown', 'n', null, []],
    ['the same', 'o', 4, ['Master Password is identical to the old one']],
  ])('warnings: %s', (_, next, strength, texts) => {
    const warnings = changeWarnings({ old: 'o', next, confirmation: next }, strength);
    expect(warnings.map(({ text }) => text)).toEqual(texts);
  });
});
