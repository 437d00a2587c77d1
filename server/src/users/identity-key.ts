/** The form of names and e-mail addresses in which they are unique: without case, and without spellings that look the same. */
export const identityKey = (text: string): string => text.normalize('NFKC').toLowerCase();
