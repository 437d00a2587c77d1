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

test('a value older than one already shown in this browser is reported (M4)', () => {
  expect(disagreementLines({ ...REVEALED, disagreements: ['older'] })).toEqual([FIELD_TEXTS.older]);
  expect(disagreementLines(REVEALED)).toEqual([]);
});
