/** Lets `http` prove the open keyring, under the id of the present session. */
import { AppError } from '@passwordbroker/core/contract/problem';
import type { Keyring } from '../keyring/keyring.ts';
import type { Http } from '../transport/http.ts';

/** Without a session nothing is proved: the call ends as any other does then (docs/spec/product.md §4). */
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
