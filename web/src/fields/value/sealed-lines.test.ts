import { expect, test } from 'vitest';
import type { Revealed } from '@passwordbroker/client/vault/vault';
import { FIELD_TEXTS } from '../../texts/entries/fields.ts';
import { disagreementLines } from './use-field-verbs.ts';

const REVEALED: Revealed = {
  type: 'note',
  title: 'Title',
  login: null,
  text: 'text',
  totp: null,
  file: null,
  disagreements: [],
};

test('an older value than the browser has shown is named (M4)', () => {
  expect(disagreementLines({ ...REVEALED, disagreements: ['older'] })).toEqual([FIELD_TEXTS.older]);
  expect(disagreementLines(REVEALED)).toEqual([]);
});
