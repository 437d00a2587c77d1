import { AppError } from '@passwordbroker/core/contract/problem';
import type { Keyring } from '../keyring/keyring.ts';
import type { Http } from '../transport/http.ts';

/**
 * Signs calls with the open keyring, for the present session. Without a session the call fails
 * (docs/spec/product.md §4).
 */
export function proveCalls(
  http: Pick<Http, 'setProver'>,
  keyring: Pick<Keyring, 'call'>,
  sessionIdOf: () => string | null,
): void {
  http.setProver((request) => {
    const sessionId = sessionIdOf();
    if (sessionId === null) throw new AppError('unauthenticated', { message: 'user is logout' });
    return keyring.call('prove', { sessionId, ...request });
  });
}
