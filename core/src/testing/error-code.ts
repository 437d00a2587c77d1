import { CryptoError } from '../crypto/errors.ts';

/**
 * The code of the `CryptoError` that `work` throws, with the index of the chunk if any. Rethrows other
 * errors.
 */
export async function errorCodeOf(work: () => unknown): Promise<string> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof CryptoError)) throw error;
    return error.index === undefined ? error.code : `${error.code} ${error.index}`;
  }
  return 'no error';
}
