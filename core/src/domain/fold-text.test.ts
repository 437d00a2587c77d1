import fc from 'fast-check';
import { expect, test } from 'vitest';
import { text } from '../testing/arbitraries.ts';
import { foldText } from './search-text.ts';

test.each([
  ['', ''],
  ['PostgreSQL', 'postgresql'],
  ['Größe', 'grosse'],
  ['GRÖẞE', 'grosse'],
  ['Ὀδυσσεύς', 'οδυσσευσ'],
  ['ÅNGSTRÖM', 'angstrom'],
  ['Crème Brûlée', 'creme brulee'],
  ['e\u0301', 'e'],
  ['ЙОГА', 'иога'],
  ['ΆΛΦΑ', 'αλφα'],
  ['ﬁle', 'file'],
  ['Ｆｕｌｌ', 'full'],
  ['İstanbul', 'istanbul'],
  ['東京', '東京'],
  ['🔑 a%_b', '🔑 a%_b'],
])('%j is searched as %j', (shown, folded) => {
  expect(foldText(shown)).toBe(folded);
});

test('folding is idempotent and ignores case and Unicode normalisation', () => {
  fc.assert(
    fc.property(text(), (shown) => {
      const folded = foldText(shown);
      expect(foldText(folded)).toBe(folded);
      expect(foldText(shown.normalize('NFC'))).toBe(foldText(shown.normalize('NFD')));
    }),
    { numRuns: 2000 },
  );
});
