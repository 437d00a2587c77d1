/** The form in which texts are searched: without case and accents (decision H8). */
export const foldText = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
