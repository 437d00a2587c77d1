import { expect, test } from 'vitest';
import type { FieldType } from '@passwordbroker/core/domain/fields/field-kinds';
import type { TreeField } from '@passwordbroker/core/domain/exchange/tree';
import { pairFields } from './revising.ts';

const note = (title: string): TreeField => ({
  type: 'note',
  revisions: [{ content: { type: 'note', title, value: 'x' }, at: null }],
});
const password = (title: string): TreeField => ({
  type: 'password',
  revisions: [{ content: { type: 'password', title, login: '', value: 'x' }, at: null }],
});
const there = (type: FieldType, ...titles: readonly string[]) =>
  titles.map((title, at) => ({ field_id: `${type}${at}`, type, title }));
const pairs = (...given: Parameters<typeof pairFields>) =>
  pairFields(...given).map(({ other }) => other?.field_id ?? null);

test('by kind and title, each once', () => {
  expect(pairs([note('B'), note('A'), note('A')], there('note', 'A', 'B'))).toEqual(['note1', 'note0', null]);
  expect(pairs([note('Password')], there('password', 'Password'))).toEqual([null]);
});

test('by kind alone if it is the only one in both entries', () => {
  expect(pairs([password('Password')], there('password', 'Root'))).toEqual(['password0']);
  expect(pairs([password('Password'), password('PIN')], there('password', 'Password'))).toEqual(['password0', null]);
  expect(pairs([password('Other')], there('password', 'Root', 'PIN'))).toEqual([null]);
});
