import { expect, test } from 'vitest';
import { countsText } from './backup-counts.ts';

test('each count has its noun in singular or plural', () => {
  const counts = { users: 1, entry_groups: 2, entries: 1, fields: 0, revisions: 31, files: 1 };
  expect(countsText(counts)).toBe('1 user, 2 groups, 1 entry, 0 fields, 31 revisions, 1 file');
});
