import { expect, test } from 'vitest';
import { changesOf } from './settings-card.tsx';

test('a value that was changed back is not sent', () => {
  const present = { trash_days: 30, offline_allowed: true };
  expect(changesOf(present, { trash_days: 30, offline_allowed: false })).toEqual({ offline_allowed: false });
  expect(changesOf(present, {})).toEqual({});
});
