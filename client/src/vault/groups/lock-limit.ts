/** Each time the vault is opened on the server, the browser learns how long the site lets it be left alone. */
import { limits } from '@passwordbroker/core/contract/site/site';
import type { Keyring } from '../../keyring/keyring.ts';
import type { LockAfter } from '../../keyring/lock/lock-after.ts';
import type { Http } from '../../transport/http.ts';

interface Parts {
  readonly http: Http;
  readonly keyring: Keyring;
  readonly lockAfter: Pick<LockAfter, 'learn'>;
}

/** @returns how to stop */
export function keepLockLimit({ http, keyring, lockAfter }: Parts): () => void {
  return keyring.onOpened((bundle) => {
    if (bundle === null) return;
    http.call(limits).then(
      ({ lock_minutes }) => lockAfter.learn(lock_minutes),
      // What was heard before holds; the next opening asks again.
      () => undefined,
    );
  });
}
