import { expect, test } from 'vitest';
import type { FieldType } from '@passwordbroker/core/domain/fields/field-kinds';
import { FIELD_TEXTS } from '../../texts/entries/fields.ts';
import { copiedNotice } from './copied-notice.ts';

test.each<[FieldType, string]>([
  ['password', 'Value for field "Root" copied'],
  ['link', 'Value for field "Root" copied'],
  ['note', 'Note for field "Root" copied'],
  ['TOTP', 'Key for field "Root" copied'],
])('the notice after copying the value of a %s (docs/spec/product.md §8)', (type, notice) => {
  expect(copiedNotice(type, 'Root')).toBe(notice);
});

test('logins and codes have their own notices (docs/spec/product.md §8)', () => {
  const { loginCopied, totpCopied } = FIELD_TEXTS.activity;
  expect([loginCopied('Root'), totpCopied('Root')]).toEqual([
    'Login for field "Root" copied',
    'TOTP for field "Root" copied',
  ]);
});
