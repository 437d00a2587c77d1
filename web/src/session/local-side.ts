/** What this browser keeps for times without the server, as far as signing in and out needs to know. */
import { loadChunk } from '../lib/chunk.ts';

export interface LocalSide {
  /** Whether there is a local copy of that server's vault; null: the page's own. Never throws. */
  hasCopyOf(server: string | null): Promise<boolean>;
  /** Somebody logged out while the server could not be told: his session must not be met there again. */
  owesLogout(): boolean;
  setOwesLogout(owes: boolean): void;
}

const OWES = 'passwordbroker.owes-logout';

/** Of this browser; one that keeps nothing has no copy and owes nothing. */
export const localSide: LocalSide = {
  async hasCopyOf(server) {
    try {
      const { offline } = await loadChunk('offline', () => import('../offline/offline.ts'));
      return (await offline.localCopies()).some((copy) => copy.server === server);
    } catch {
      return false;
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
