/** What this browser keeps for times without the server, as far as signing in and out needs to know. */
import { loadChunk } from '../lib/chunk.ts';
import { hasCopies } from '../offline/has-copies.ts';

export interface LocalSide {
  /** Whether there is a local copy of that server's vault; null: the page's own. Never throws. */
  hasCopyOf(server: string | null): Promise<boolean>;
  /** After a logout: copies of that server's vault that are not to stay go. Never throws. */
  forgetCopiesOf(server: string | null): Promise<void>;
  /** Somebody logged out while the server could not be told: his session must not be met there again. */
  owesLogout(): boolean;
  setOwesLogout(owes: boolean): void;
}

const OWES = 'passwordbroker.owes-logout';

/** Of this browser; one that keeps nothing has no copy and owes nothing. */
export const localSide: LocalSide = {
  async hasCopyOf(server) {
    if (!hasCopies()) return false;
    try {
      const { offline } = await loadChunk('offline', () => import('../offline/offline.ts'));
      return (await offline.localCopies()).some((copy) => copy.server === server);
    } catch {
      return false;
    }
  },
  async forgetCopiesOf(server) {
    if (!hasCopies()) return;
    try {
      const { offline } = await loadChunk('offline', () => import('../offline/offline.ts'));
      await offline.forgetAfterLogout(server);
    } catch {
      // The code for copies does not arrive: they are sealed, and wiped when their time is over.
    }
  },
  owesLogout() {
    try {
      return localStorage.getItem(OWES) !== null;
    } catch {
      return false;
    }
  },
  setOwesLogout(owes) {
    try {
      if (owes) localStorage.setItem(OWES, '1');
      else localStorage.removeItem(OWES);
    } catch {
      // Nothing is kept: then there was no copy to work from either.
    }
  },
};
