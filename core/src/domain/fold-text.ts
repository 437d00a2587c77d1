/**
 * The form in which texts are searched: without case and accents (decision H8). Upper case comes first, because only there do 'ß' and 'ss', 'ﬁ' and 'fi', 'ς' and
 * 'σ' meet.
 */
export const foldText = (text: string): string =>
  text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toUpperCase().toLowerCase().replaceAll('ς', 'σ');
