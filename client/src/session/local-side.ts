/** What this browser keeps for times without the server, as far as signing in and out needs to know. */
import type { Offline } from '../offline/offline.ts';
import type { LocalCopies } from '../platform.ts';
import type { PlainStore } from '../plain-store.ts';

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

const OWES = 'passwordbroker.owes-logout';

interface Parts {
  readonly plain: () => PlainStore;
  /** null: this device keeps no copies. */
  readonly copies: Pick<LocalCopies, 'mayHave'> | null;
  readonly loadOffline: () => Promise<Offline>;
}

/** A device whose plain storage is blocked has no copy and owes nothing. */
export function createLocalSide({ plain, copies, loadOffline }: Parts): LocalSide {
  const mayHaveCopies = async () => copies !== null && copies.mayHave();
  return {
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
        return plain().getItem(OWES) !== null;
      } catch {
        return false;
      }
    },
    setOwesLogout(owes) {
      try {
        if (owes) plain().setItem(OWES, '1');
        else plain().removeItem(OWES);
      } catch {
        // Without storage there was no copy to work from either.
      }
    },
  };
}
