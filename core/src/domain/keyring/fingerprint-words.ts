/** Loads the whole word list: import this file only when words are shown. */
import { CryptoError } from '../../crypto/errors.ts';
import { EFF_LONG_WORDS } from './eff-long-words.ts';

const WORDS = 8;
const FINGERPRINT = /^[0-9a-f]{64}$/;

/**
 * Eight words to read aloud (docs/spec/crypto.md §7): 103 bits, least significant digit first.
 * @param fingerprint 64 lower-case hex characters. @throws CryptoError `certificate` for any other text
 */
export function fingerprintWords(fingerprint: string): string[] {
  if (!FINGERPRINT.test(fingerprint)) throw new CryptoError('certificate');
  const count = BigInt(EFF_LONG_WORDS.length);
  let rest = BigInt(`0x${fingerprint}`);
  return Array.from({ length: WORDS }, () => {
    const word = EFF_LONG_WORDS[Number(rest % count)] ?? '';
    rest /= count;
    return word;
  });
}
