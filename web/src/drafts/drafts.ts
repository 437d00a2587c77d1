/**
 * What is typed in open forms, sealed in the worker under the session's key after each change. A lock drops
 * the forms; the next unlock opens what was sealed. It stays in memory, and ends with the page, at a sign-out,
 * and when another person signs in.
 */
import { isLocked } from '@passwordbroker/client/keyring/keyring-error';
import type { Keyring } from '@passwordbroker/client/keyring/keyring';
import type { Session } from '@passwordbroker/client/session/session';

interface Kept {
  /** Position among all changes. */
  readonly at: number;
  /** Null: dropped. */
  readonly sealed: string | null;
}

export function createDrafts(
  keyring: Pick<Keyring, 'call' | 'onLocked'>,
  session: Pick<Session, 'subscribe' | 'view'>,
) {
  const kept = new Map<string, Kept>();
  /** In clear, until the form has read it. */
  const opened = new Map<string, string>();
  let changes = 0;

  function store(place: string, next: Kept) {
    // An older state may be sealed later than a newer one.
    if ((kept.get(place)?.at ?? 0) < next.at) kept.set(place, next);
  }

  keyring.onLocked(() => opened.clear());
  const signedIn = () => session.view().user?.user_id ?? null;
  let owner = signedIn();
  session.subscribe(() => {
    if (signedIn() === owner) return;
    owner = signedIn();
    changes += 1;
    for (const place of kept.keys()) kept.set(place, { at: changes, sealed: null });
  });

  return {
    has: (place: string) => (kept.get(place)?.sealed ?? null) !== null,

    /** Replaces what was kept for the place. Keeps nothing while the vault is locked. */
    async keep(place: string, text: string): Promise<void> {
      changes += 1;
      const at = changes;
      if (!kept.has(place)) kept.set(place, { at: 0, sealed: null });
      const sealed = await keyring.call('sealDraft', { place, text }).catch(() => null);
      if (sealed !== null) store(place, { at, sealed });
    },

    drop(place: string): void {
      changes += 1;
      if (kept.has(place)) store(place, { at: changes, sealed: null });
    },

    /** For `opened`. Null: nothing is kept, or it does not open under these keys. */
    async open(place: string): Promise<string | null> {
      const taken = kept.get(place);
      if (taken === undefined || taken.sealed === null) return null;
      changes += 1;
      const at = changes;
      kept.set(place, { at, sealed: null });
      try {
        const text = await keyring.call('openDraft', { place, sealed: taken.sealed });
        opened.set(place, text);
        return text;
      } catch (failure) {
        // Locked again meanwhile, and neither changed nor signed out since.
        if (isLocked(failure) && kept.get(place)?.at === at) kept.set(place, { at, sealed: taken.sealed });
        return null;
      }
    },

    opened: (place: string) => opened.get(place) ?? null,

    /** Drops what was opened. */
    forget: (place: string) => void opened.delete(place),
  };
}
