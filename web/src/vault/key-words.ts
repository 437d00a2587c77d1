/** A fingerprint as people compare it. The list of words is large and loads when words are first shown. */
import { loadChunk } from '../lib/chunk.ts';
import type { KeyWords } from './people.ts';

/** @param fingerprint 64 lower-case hex characters */
export async function wordsOf(fingerprint: string): Promise<KeyWords> {
  const { fingerprintWords } = await loadChunk('words', () => import('@passwordbroker/core/domain/fingerprint-words'));
  return { fingerprint, words: fingerprintWords(fingerprint) };
}
