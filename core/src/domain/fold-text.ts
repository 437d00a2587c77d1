import { isAscii } from '../crypto/bytes.ts';

/**
 * Removes case and accents for searching (docs/spec/decisions.md H8). Folding case three times makes 'ẞ', 'ß'
 * and 'ss', 'ﬁ' and 'fi', 'ς' and 'σ' equal.
 */
export const foldText = (text: string): string =>
  isAscii(text)
    ? text.toLowerCase()
    : text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ');
