import { LIMITS } from '../limits.ts';

/** Documents on the server (docs/spec/crypto.md §4). */
export const DOCUMENT_NAMES = ['desk', 'pins', 'settings', 'trust'] as const;
export type StoredDocumentName = (typeof DOCUMENT_NAMES)[number];

/** Largest version `n`. */
export const MAX_DOCUMENT_VERSION = 999_999_999;

/** Of the sealed document. */
export const maxDocumentBytes = (name: string): number =>
  name === 'trust' ? LIMITS.trustDocumentBytes : LIMITS.documentBytes;
