import { expect, test } from 'vitest';
import { IMPORT_TEXTS } from '../texts/entries/import.ts';

test.each([
  ['entry', 1, '1 entry: why'],
  ['entry', 3, '3 entries: why'],
  ['group', 2, '2 groups: why'],
  ['attachment', 12, '12 attachments: why'],
])('%s, %i', (kind, count, line) => {
  expect(IMPORT_TEXTS.leftOutLine(count, kind, 'why')).toBe(line);
});
