/** Which roster of each group this device has accepted last (crypto.md §9): read before a group opens, written when one is accepted. */
import {
  acceptedRosterOf,
  type AcceptedRoster,
  type AcceptedRosters,
  type GroupOrigin,
  NO_ACCEPTED_ROSTERS,
  readAcceptedRosters,
  withAcceptedRoster,
  writeAcceptedRosters,
} from '@passwordbroker/core/domain/accepted-rosters';
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import { openDocument, sealDocument, type StoredDocument } from '@passwordbroker/core/domain/documents';
import type { Keyring } from '@passwordbroker/core/domain/keyring';
import type { LinkedRoster } from '@passwordbroker/core/domain/roster-succession';
import type { DeviceShelf } from './device-shelf.ts';

/** What the list itself does not show. */
interface Besides {
  /** Who made the group, where its first list has shown it. */
  readonly origin?: GroupOrigin | undefined;
  /** Its signer was met for the first time and is not pinned yet. */
  readonly isUnpinned?: boolean;
}

export interface RosterMemory {
  accepted(groupId: string): Promise<AcceptedRoster | null>;
  /** The whole list, so that the own role in it is never left out. Those of many groups that come together are written at once. */
  remember(groupId: string, roster: LinkedRoster, besides?: Besides): Promise<void>;
  /** As a person decided: also an earlier one. No group is ever forgotten. */
  replace(groupId: string, roster: AcceptedRoster): Promise<void>;
  /** For keys that come in the place of these: with them nothing that was accepted may be forgotten. */
  handOver(next: Keyring): Promise<void>;
  /** False: the device did not take what was accepted last, and it ends with this worker. Tried again with the next change. */
  isKept(): boolean;
}

/** Each own key has a document of its own on the shelf: what is sealed under others does not open, and is not written over. */
const placeOf = ({ userId, fingerprint }: Keyring) => `${userId} ${fingerprint}`;

interface Change {
  readonly groupId: string;
  readonly roster: AcceptedRoster;
  readonly isDecided: boolean;
}

/** How often another tab may come first. */
const TRIES = 20;

export function rememberRosters(keyring: Keyring, shelf: DeviceShelf): RosterMemory {
  let known: { readonly version: number; readonly rosters: AcceptedRosters } = {
    version: 0,
    rosters: NO_ACCEPTED_ROSTERS,
  };
  let looking: Promise<StoredDocument | null> | null = null;
  let former: Promise<void> | null = null;
  let waiting: Change[] = [];
  /** Accepted here, refused by the shelf: none, or one that is full. They count on what it holds until it takes them. */
  let unkept: readonly Change[] = [];
  /** The write that will take what is waiting; the one before it may still be under way. */
  let queued: Promise<void> | null = null;
  let last: Promise<void> = Promise.resolve();

  /** Other tabs write, too, so the shelf is looked at each time; where there is none, this worker's own memory counts. */
  async function read(): Promise<typeof known> {
    // Many groups that are opened at the same time look once.
    looking ??= shelf
      .rosters(placeOf(keyring))
      .catch(() => null)
      .finally(() => (looking = null));
    const stored = await looking;
    if (stored === null) await (former ??= takeFormer());
    if (stored === null || stored.version === known.version) return known;
    known = { version: stored.version, rosters: unkept.reduce(applied, await opened(stored)) };
    return known;
  }

  /** What a client kept that had one place for all keys of a person. */
  async function takeFormer(): Promise<void> {
    const stored = await shelf.rosters(keyring.userId).catch(() => null);
    if (stored !== null && known.rosters === NO_ACCEPTED_ROSTERS) known = { version: 0, rosters: await opened(stored) };
  }

  async function opened({ version, blob_base64 }: StoredDocument): Promise<AcceptedRosters> {
    try {
      return await openDocument(keyring, { name: 'rosters', n: version }, blob_base64, readAcceptedRosters);
    } catch (failure) {
      // Damaged, or of former keys: every group is at first use again.
      if (failure instanceof CryptoError && failure.code !== 'locked') return NO_ACCEPTED_ROSTERS;
      throw failure;
    }
  }

  async function write(): Promise<void> {
    const changes = waiting;
    waiting = [];
    queued = null;
    for (let tries = 0; tries < TRIES; tries += 1) {
      const { version, rosters } = await read();
      const next = changes.reduce(applied, rosters);
      if (next === rosters && unkept.length === 0) return;
      const outcome = await store(version, next);
      if (outcome === 'late') continue;
      unkept = outcome === 'kept' ? [] : lastOf([...unkept, ...changes], next);
      known = { version: outcome === 'kept' ? version + 1 : version, rosters: next };
      return;
    }
  }

  /** `late`: another tab came first. `refused`: there is no shelf, or it is full. */
  async function store(version: number, rosters: AcceptedRosters): Promise<'kept' | 'late' | 'refused'> {
    const place = { name: 'rosters', n: version + 1 } as const;
    const blob_base64 = await sealDocument(keyring, place, writeAcceptedRosters(rosters));
    const next = { version: version + 1, blob_base64 };
    return shelf.replaceRosters(placeOf(keyring), version, next).then(
      (isPresent) => (isPresent ? 'kept' : 'late'),
      () => 'refused',
    );
  }

  function change(one: Change): Promise<void> {
    waiting.push(one);
    // One after the other: those who come while one is under way are written together.
    queued ??= last.then(write);
    last = queued.catch(() => undefined);
    return queued;
  }

  return {
    accepted: async (groupId) => (await read()).rosters.get(groupId) ?? null,
    remember(groupId, linked, { origin, isUnpinned = false } = {}) {
      const own = acceptedRosterOf(linked, keyring.userId);
      const shown = origin === undefined ? own : { ...own, origin };
      const roster = isUnpinned ? ({ ...shown, unpinned: true } as const) : shown;
      return change({ groupId, roster, isDecided: false });
    },
    replace: (groupId, roster) => change({ groupId, roster, isDecided: true }),
    async handOver(next) {
      await last;
      const { rosters } = await read();
      const blob = await sealDocument(next, { name: 'rosters', n: 1 }, writeAcceptedRosters(rosters));
      await shelf.replaceRosters(placeOf(next), 0, { version: 1, blob_base64: blob }).catch(() => undefined);
    },
    isKept: () => unkept.length === 0,
  };
}

/** What became of the groups that these are about; a person's decision stays one. */
function lastOf(changes: readonly Change[], rosters: AcceptedRosters): readonly Change[] {
  const decided = new Set(changes.flatMap(({ groupId, isDecided }) => (isDecided ? [groupId] : [])));
  const groupIds = new Set(changes.map(({ groupId }) => groupId));
  return [...groupIds].flatMap((groupId) => {
    const roster = rosters.get(groupId);
    return roster === undefined ? [] : [{ groupId, roster, isDecided: decided.has(groupId) }];
  });
}

/** What another tab has accepted meanwhile is not taken back to an earlier one without a person. */
function applied(rosters: AcceptedRosters, { groupId, roster, isDecided }: Change): AcceptedRosters {
  const present = rosters.get(groupId);
  // Where a person went on without a list, the next one begins anew.
  const isOther = present !== undefined && present.gone !== true && present.hash !== roster.hash;
  if (isOther && roster.seq <= present.seq && !isDecided) return rosters;
  const next = withAcceptedRoster(rosters, groupId, roster);
  return JSON.stringify(next.get(groupId)) === JSON.stringify(present) ? rosters : next;
}
