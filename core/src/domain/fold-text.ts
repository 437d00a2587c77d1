import { isAscii } from '../crypto/bytes.ts';

/**
 * The form in which texts are searched: without case and accents (decision H8). Upper case comes first, because only there do 'ß' and 'ss', 'ﬁ' and 'fi', 'ς' and
 * 'σ' meet; and lower case before it, because 'ẞ' is upper case already.
 */
export const foldText = (text: string): string =>
  // Most texts have nothing that could be taken off or be written otherwise.
  isAscii(text)
    ? text.toLowerCase()
    : text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ');
