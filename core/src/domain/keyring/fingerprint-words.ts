/** Import this file only when words are shown: the list is large. */
import { CryptoError } from '../../crypto/errors.ts';
import { EFF_LONG_WORDS } from './eff-long-words.ts';

const WORDS = 8;
const FINGERPRINT = /^[0-9a-f]{64}$/;

/**
 * 103 bits, least significant digit first (docs/spec/crypto.md §7). @throws CryptoError `certificate` unless
 * 64 hex characters
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
