import { LIMITS } from '../limits.ts';

/** Private documents that the server keeps, by name (docs/spec/crypto.md §4). */
export const DOCUMENT_NAMES = ['pins', 'settings', 'trust'] as const;
export type StoredDocumentName = (typeof DOCUMENT_NAMES)[number];

/** Largest `n` of a stored document. */
export const MAX_DOCUMENT_VERSION = 999_999_999;

/** Largest sealed document of this name, in bytes. */
export const maxDocumentBytes = (name: string): number =>
  name === 'trust' ? LIMITS.trustDocumentBytes : LIMITS.documentBytes;
