/** The part of an error that may leave the worker: a code, never a key or a value. The page has the text in its language. */
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import { ExchangeError } from '@passwordbroker/core/domain/exchange/exchange-error';
import { KeyringError, type KeyringProblem } from './keyring-error.ts';

export function describeFailure(failure: unknown): KeyringProblem {
  if (failure instanceof KeyringError) {
    const { code, detail, userIds, groupId } = failure;
    return { code, detail, userIds, groupId };
  }
  if (failure instanceof CryptoError) return { code: 'integrity', detail: failure.message };
  if (failure instanceof ExchangeError) return { code: 'import_file', message: failure.message, detail: failure.code };
  if (failure instanceof DOMException && failure.name === 'AbortError') return { code: 'cancelled' };
  return { code: 'internal', detail: failure instanceof Error ? failure.message : String(failure) };
}

/** Reports CryptoErrors of `work` as `code` instead of as damage. */
export async function failingAs<T>(code: KeyringProblem['code'], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (failure) {
    if (failure instanceof CryptoError) throw new KeyringError({ code, detail: failure.message });
    throw failure;
  }
}
