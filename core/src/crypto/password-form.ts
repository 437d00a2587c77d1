import { utf8 } from './bytes.ts';

export const MAX_PASSWORD_BYTES = 1024;

const HALF_CHARACTER = /\p{Surrogate}/u;

export const isWellFormed = (text: string): boolean => !HALF_CHARACTER.test(text);

/**
 * Of a master password (docs/spec/crypto.md §5): `long` is over 1024 bytes of UTF-8 in NFKC, `broken` has a
 * lone surrogate.
 */
export function passwordProblem(text: string): 'empty' | 'long' | 'broken' | null {
  if (text === '') return 'empty';
  // NFKC never joins eight characters into one.
  if (text.length > 8 * MAX_PASSWORD_BYTES) return 'long';
  if (!isWellFormed(text)) return 'broken';
  const bytes = utf8(text.normalize('NFKC'));
  bytes.fill(0);
  return bytes.length > MAX_PASSWORD_BYTES ? 'long' : null;
}
