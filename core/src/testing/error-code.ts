import { CryptoError } from '../crypto/errors.ts';

/**
 * The code of the `CryptoError` that the work ends in, with the chunk's index where there is one.
 * Any other error is thrown on.
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
