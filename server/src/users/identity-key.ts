/** Names and e-mails are unique in this form. */
export const identityKey = (text: string): string => text.normalize('NFKC').toLowerCase();
