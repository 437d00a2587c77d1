/** Whether the master password that opened the vault meets the policy of the site. The server never sees it, so this browser judges it. */
import { setup } from '@passwordbroker/core/contract/system';
import { isWeakHere } from '../identity/judge-passwords.ts';
import { http } from '../lib/http.ts';
import { session } from '../session/session.ts';

/** The person whose master password was found weak; the text itself is not kept. */
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

  /** Judges one that has just opened the vault, by the rules of the site. Without an answer nothing is said. */
  async judge(masterPassword: string): Promise<void> {
    const { user } = session.view();
    if (user === null || http.isOffline()) return;
    try {
      const isWeak = await isWeakHere(() => http.call(setup), masterPassword, [user.name, user.email]);
      setWeakOf(isWeak ? user.user_id : null);
    } catch {
      // The next unlock asks again.
    }
  },

  /** It was changed to one that the rules allow. */
  changed: () => setWeakOf(null),
};
