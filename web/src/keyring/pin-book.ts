/** Whose keys the person at this client has accepted (crypto.md §13): opened with the key bundle, sealed again for each change. */
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import { openNewestDocument, sealDocument, type StoredDocument } from '@passwordbroker/core/domain/documents';
import type { Keyring } from '@passwordbroker/core/domain/keyring';
import {
  NO_PINS,
  readPins,
  withMetSigner,
  withPin,
  withRenewedPin,
  writePins,
  type PinnedPerson,
  type Pins,
  type PinWay,
} from '@passwordbroker/core/domain/pins';
import type { DeviceShelf } from './device-shelf.ts';
import { leastSeen, mayBeFormer, NO_SEEN_PINS, withSeen } from './seen-pins.ts';
import { trustError } from './trust-error.ts';

export interface PinBook {
  /** What the server shows; null: it was never written. Faults are kept, and told when a pin is needed. */
  read(stored: StoredDocument | null): Promise<void>;
  /** As `read`, after a person has decided to go on from what the server shows. */
  readAnyway(stored: StoredDocument | null): Promise<void>;
  /** @throws KeyringError 'pins' */
  pins(): Pins;
  isReliable(): boolean;
  /** Nothing where the list cannot be relied on: everybody is a stranger then. */
  pinsOrNone(): Pins;
  /** Whether one may have signed with this key before the present one. */
  mayBeOwnFormer(fingerprint: string): boolean;
  /**
   * The document after a change, for the server: it counts once it has been read back. null: nothing changes. `met`: they signed groups that are
   * opened for the first time, and no person was asked about their keys; sharing with them still asks. `renewed`: the pinned keys vouch for these.
   * @throws KeyringError 'pins'; 'key_changed' for another key than the pinned one that nobody has compared
   */
  sealed(people: readonly PinnedPerson[], how: PinWay | 'met' | 'renewed'): Promise<SealedPins | null>;
}

interface SealedPins {
  /** What it replaces, 0 for none. */
  readonly replaces: number;
  readonly blob_base64: string;
}

export async function openPinBook(keyring: Keyring, shelf: DeviceShelf): Promise<PinBook> {
  let known: { readonly n: number; readonly pins: Pins } | { readonly fault: string } = { n: 0, pins: NO_PINS };
  const { userId, identity } = keyring;
  // Where there is no shelf, this worker's own memory counts.
  let seen = await shelf.seenPins(userId).catch(() => NO_SEEN_PINS);

  async function saw(n: number, isDecided: boolean) {
    const next = withSeen(seen, identity, n, isDecided);
    if (JSON.stringify(next) === JSON.stringify(seen)) return;
    seen = next;
    await shelf.changeSeenPins(userId, (present) => withSeen(present, identity, n, isDecided)).catch(() => undefined);
  }

  async function readFrom(stored: StoredDocument | null, least: number) {
    try {
      const newest = await openNewestDocument(keyring, { name: 'pins', stored, seen: least }, readPins);
      known = { n: newest?.n ?? 0, pins: newest?.content ?? NO_PINS };
    } catch (failure) {
      if (!(failure instanceof CryptoError) || failure.code === 'locked') throw failure;
      known = { fault: failure.code };
    }
  }

  const open = () => {
    if ('fault' in known) throw trustError('pins', { detail: known.fault });
    return known;
  };

  return {
    async read(stored) {
      // Another tab may have seen a newer one.
      const there = await shelf.seenPins(userId).catch(() => seen);
      const least = Math.max(leastSeen(seen, identity), leastSeen(there, identity));
      await readFrom(stored, least);
      await saw('fault' in known ? least : known.n, false);
    },
    async readAnyway(stored) {
      await readFrom(stored, 0);
      // What does not open is begun anew: everybody is a stranger again.
      if ('fault' in known) known = { n: stored?.version ?? 0, pins: NO_PINS };
      await saw(known.n, true);
    },
    mayBeOwnFormer: (fingerprint) => mayBeFormer(seen, identity, fingerprint),
    pins: () => open().pins,
    isReliable: () => !('fault' in known),
    pinsOrNone: () => ('fault' in known ? NO_PINS : known.pins),
    async sealed(people, how) {
      const { n, pins } = open();
      const now = Date.now();
      const changed = people.filter(
        ({ userId, fingerprint }) => (pins.get(userId)?.fingerprint ?? fingerprint) !== fingerprint,
      );
      // Met, and "trusted for now", are keys that are seen for the first time.
      if ((how === 'first-use' || how === 'met') && changed.length > 0)
        throw trustError('key_changed', { userIds: changed.map(({ userId }) => userId) });
      const next = people.reduce((all, person) => {
        if (how === 'met') return withMetSigner(all, person, now);
        return how === 'renewed' ? withRenewedPin(all, person, now) : withPin(all, person, how, now);
      }, pins);
      if (JSON.stringify(writePins(next)) === JSON.stringify(writePins(pins))) return null;
      const blob = await sealDocument(keyring, { name: 'pins', n: n + 1 }, writePins(next));
      return { replaces: n, blob_base64: blob };
    },
  };
}
