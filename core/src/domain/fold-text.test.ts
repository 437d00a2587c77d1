import { expect, test } from 'vitest';
import { foldText } from './fold-text.ts';

test.each([
  ['Größere Straße', 'grossere strasse'],
  ['ÉCOLE', 'ecole'],
  ['e\u0301cole', 'ecole'],
  ['İstanbul', 'istanbul'],
  ['ΣΊΣΥΦΟΣ', 'σισυφοσ'],
  ['ﬁle', 'file'],
  ['Ｗｉｄｅ', 'wide'],
  ['100%_\\', '100%_\\'],
  ['日本語 🔑', '日本語 🔑'],
  ['', ''],
])('%s', (text, folded) => {
  expect(foldText(text)).toBe(folded);
  expect(foldText(folded)).toBe(folded);
});
