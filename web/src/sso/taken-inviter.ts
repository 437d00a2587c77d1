/** The inviter's key of an invitation that a person accepts at a provider: the page is left before the keys are made. */
import { inviterIn, type Inviter, withInviter } from '@passwordbroker/client/session/inviter-fragment';

const KEPT = 'passwordbroker.inviter';

export const takenInviter = {
  /** @param email of the invitation */
  keep(email: string, inviter: Inviter | null): void {
    try {
      if (inviter === null) this.forget();
      else sessionStorage.setItem(KEPT, withInviter(email, inviter));
    } catch {
      // The person compares the key of the inviter later.
    }
  },
  forget(): void {
    try {
      sessionStorage.removeItem(KEPT);
    } catch {
      // Without a storage nothing was kept.
    }
  },
  /** For the invited person alone: another one may sign in in this tab. */
  readFor(email: string): Inviter | null {
    try {
      const kept = sessionStorage.getItem(KEPT) ?? '';
      const at = kept.lastIndexOf('#');
      return at >= 0 && kept.slice(0, at) === email ? inviterIn(kept.slice(at)) : null;
    } catch {
      return null;
    }
  },
};
