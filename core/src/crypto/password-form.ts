/** Which texts can be a master password at all (`crypto.md` §5). */
import { utf8 } from './bytes.ts';

export const MAX_PASSWORD_BYTES = 1024;

/** Half of a surrogate pair: no character, and no UTF-8 has it. */
const HALF_CHARACTER = /\p{Surrogate}/u;

export const isWellFormed = (text: string): boolean => !HALF_CHARACTER.test(text);

/** What keeps a text from being one: `empty`, `long` (above 1024 bytes of UTF-8 in NFKC), `broken` (a lone surrogate); null for none. */
export function passwordProblem(text: string): 'empty' | 'long' | 'broken' | null {
  if (text === '') return 'empty';
  // NFKC joins a few characters into one, never eight: what is far too long is refused without reading it.
  if (text.length > 8 * MAX_PASSWORD_BYTES) return 'long';
  if (!isWellFormed(text)) return 'broken';
  const bytes = utf8(text.normalize('NFKC'));
  bytes.fill(0);
  return bytes.length > MAX_PASSWORD_BYTES ? 'long' : null;
}
