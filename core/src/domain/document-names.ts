/** Private documents that the server keeps, by name (`crypto.md` §4 kind 5). */
export const DOCUMENT_NAMES = ['pins', 'settings'] as const;
