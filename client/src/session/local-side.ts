/** Local copies and pending logouts, for signing in and out. */
import type { LocalCopies, PlainStore } from '../platform.ts';
import { SESSION_TEXTS } from '../texts/connection.ts';

export interface CopyOwner {
  /** Null: the page's own. */
  readonly server: string | null;
  readonly userId: string;
}

export interface LocalSide {
  /** Never throws. */
  hasCopyOf(server: string | null): Promise<boolean>;
  /** Asks the server whether its copies may stay. Never throws. */
  nobodyIsSignedIn(): Promise<void>;
  /** Unless it stays at logout. @throws Error if it could not be deleted */
  forgetCopyOf(owner: CopyOwner): Promise<void>;
  /** The server must still learn of a logout, so that the session cannot be resumed. */
  owesLogout(): boolean;
  setOwesLogout(owes: boolean): void;
}

export interface OfflineForSession {
  localCopies(): Promise<readonly { readonly server: string | null }[]>;
  askCopyStatus(): Promise<void>;
  forgetAfterLogout(owner: CopyOwner): Promise<void>;
}

const OWES = 'passwordbroker.owes-logout';

interface Parts {
  readonly plain: () => PlainStore;
  readonly copies: Pick<LocalCopies, 'mayHave'> | null;
  readonly loadOffline: () => Promise<OfflineForSession>;
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
        await (await loadOffline()).askCopyStatus();
      } catch {
        // The next page asks.
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

/** Logged out, but the local copy could not be deleted. */
export class CopyLeftError extends Error {
  override readonly name = 'CopyLeftError';
  constructor(options?: ErrorOptions) {
    super(SESSION_TEXTS.copyLeft, options);
  }
}
