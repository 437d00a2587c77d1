import { limits } from '@passwordbroker/core/contract/site/site';
import type { Keyring } from '../../keyring/keyring.ts';
import type { LockAfter } from '../../keyring/lock/auto-lock.ts';
import type { Http } from '../../transport/http.ts';

interface Parts {
  readonly http: Http;
  readonly keyring: Keyring;
  readonly lockAfter: Pick<LockAfter, 'learn'>;
}

/** Learns the site's lock limit at each opening online. @returns a function that stops it */
export function keepLockLimit({ http, keyring, lockAfter }: Parts): () => void {
  return keyring.onOpened((bundle) => {
    if (bundle === null) return;
    http.call(limits).then(
      ({ lock_minutes }) => lockAfter.learn(lock_minutes),
      // Keeps the last known limit; the next opening asks again.
      () => undefined,
    );
  });
}
