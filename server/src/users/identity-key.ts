/** Normal form in which names and e-mail addresses are unique: NFKC and lower case. */
export const identityKey = (text: string): string => text.normalize('NFKC').toLowerCase();
