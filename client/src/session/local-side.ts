/** What this browser keeps for times without the server, as far as signing in and out needs to know. */

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
