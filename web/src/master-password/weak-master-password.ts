/** Checked in the browser: the server never sees the master password. */
import { setup } from '@passwordbroker/core/contract/site/system';
import { isWeakHere } from '../identity/passwords/judge-passwords.ts';
import { http, session } from '../page/page.ts';

/** Id of the person; the password is not stored. */
let weakOf: string | null = null;
const listeners = new Set<() => void>();

function setWeakOf(userId: string | null): void {
  weakOf = userId;
  for (const listener of listeners) listener();
}

export const weakMasterPassword = {
  owner: () => weakOf,
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },

  /** Shows nothing if the rules cannot be loaded. */
  async judge(masterPassword: string): Promise<void> {
    const { user } = session.view();
    if (user === null || http.isOffline()) return;
    try {
      const isWeak = await isWeakHere(() => http.call(setup), masterPassword, [user.name, user.email]);
      setWeakOf(isWeak ? user.user_id : null);
    } catch {
      // The next unlock checks again.
    }
  },

  changed: () => setWeakOf(null),
};
