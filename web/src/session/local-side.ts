/** What this browser keeps for times without the server, as far as signing in and out needs to know. */
import { loadChunk } from '../lib/chunk.ts';
import { mayHaveCopies } from '../offline/has-copies.ts';

export interface CopyOwner {
  /** null: the page's own. */
  readonly server: string | null;
  readonly userId: string;
}

export interface LocalSide {
  /** Whether there is a local copy of that server's vault; null: the page's own. Never throws. */
  hasCopyOf(server: string | null): Promise<boolean>;
  /** The server says that nobody is signed in: whether the copies of its vault may stay is asked of it. Never throws. */
  nobodyIsSignedIn(): Promise<void>;
  /** After a logout: one's copy of that server's vault goes, unless it is to stay. @throws Error when it could not be removed */
  forgetCopyOf(owner: CopyOwner): Promise<void>;
  /** Somebody logged out while the server could not be told: his session must not be met there again. */
  owesLogout(): boolean;
  setOwesLogout(owes: boolean): void;
}

const loadOffline = async () => (await loadChunk('offline', () => import('../offline/offline.ts'))).offline;

const OWES = 'passwordbroker.owes-logout';

/** Of this browser; one that keeps nothing has no copy and owes nothing. */
export const localSide: LocalSide = {
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
};
