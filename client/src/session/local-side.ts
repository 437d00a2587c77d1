/** Local copies and pending logouts, as far as signing in and out needs them. */
import type { Offline } from '../offline/offline.ts';
import type { LocalCopies } from '../platform.ts';
import type { PlainStore } from '../plain-store.ts';

export interface CopyOwner {
  /** Null: the page's own. */
  readonly server: string | null;
  readonly userId: string;
}

export interface LocalSide {
  /** Never throws. */
  hasCopyOf(server: string | null): Promise<boolean>;
  /** The server says that nobody is signed in: asks it whether its copies may stay. Never throws. */
  nobodyIsSignedIn(): Promise<void>;
  /** Deletes the person's copy unless it stays at logout. @throws Error if it could not be deleted */
  forgetCopyOf(owner: CopyOwner): Promise<void>;
  /** A logout that the server must still learn of, so that the session cannot be resumed. */
  owesLogout(): boolean;
  setOwesLogout(owes: boolean): void;
}

const OWES = 'passwordbroker.owes-logout';

interface Parts {
  readonly plain: () => PlainStore;
  /** Null: this device keeps no copies. */
  readonly copies: Pick<LocalCopies, 'mayHave'> | null;
  readonly loadOffline: () => Promise<Offline>;
}

/** Blocked plain storage: no copy, no pending logout. */
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
        // The code did not load: the next page asks.
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
        // Without storage there was no copy to work from.
      }
    },
  };
}
