import { isAscii } from '../crypto/bytes.ts';

/**
 * Removes case and accents (docs/spec/decisions.md H8). Three folds make 'ẞ', 'ß' and 'ss', 'ﬁ' and 'fi', 'ς'
 * and 'σ' equal.
 */
export const foldText = (text: string): string =>
  isAscii(text)
    ? text.toLowerCase()
    : text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ');
