/** The list of words is large: it loads when words are first shown. */
import type { KeyWords } from './groups/member-calls.ts';

/** @param fingerprint 64 lower-case hex characters */
export async function wordsOf(fingerprint: string): Promise<KeyWords> {
  const { fingerprintWords } = await import('@passwordbroker/core/domain/keyring/fingerprint-words');
  return { fingerprint, words: fingerprintWords(fingerprint) };
}
