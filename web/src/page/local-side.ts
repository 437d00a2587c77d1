import { mayHaveCopies } from '../offline/has-copies.ts';
import type { Offline } from '@passwordbroker/client/offline/offline';
import type { LocalSide } from '@passwordbroker/client/session/local-side';

const OWES = 'passwordbroker.owes-logout';

/** Of this browser; one that keeps nothing has no copy and owes nothing. */
export const createLocalSide = (loadOffline: () => Promise<Offline>): LocalSide => ({
  async hasCopyOf(server) {
    if (!(await mayHaveCopies())) return false;
    try {
      const offline = await loadOffline();
      return (await offline.localCopies()).some((copy) => copy.server === server);
    } catch {
      return false;
    }
  },
  async nobodyIsSignedIn() {
    if (!(await mayHaveCopies())) return;
    try {
      await (await loadOffline()).askStandings();
    } catch {
      // The code for copies does not arrive: the next page asks.
    }
  },
  async forgetCopyOf(owner) {
    if (await mayHaveCopies()) await (await loadOffline()).forgetAfterLogout(owner);
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
});
