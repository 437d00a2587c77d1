/** Groups that the worker has opened, and their trust. Concurrent callers share one opening. */
import type { AnswerOf } from '@passwordbroker/core/contract/endpoint';
import type { Certificate } from '@passwordbroker/core/contract/entities';
import type { roster } from '@passwordbroker/core/contract/groups/entry-groups';
import { untilAborted } from '../../transport/waiting.ts';
import type { RejudgedGroups, OpenedGroup, SignedRow, SignedMembership } from '../calls.ts';
import { KeyringError } from '../keyring-error.ts';
import type { Keyring } from '../keyring.ts';
import type { GroupTrust } from '@passwordbroker/core/domain/trust/judge-group';
import type { GroupTrustDetails } from '../trust/trust-view.ts';

type RosterAnswer = AnswerOf<typeof roster>;

/** Requests that opening a group may need. */
export interface GroupSources {
  /** @param from lowest accepted list; null: only the newest */
  rosters(from: number | null): Promise<RosterAnswer>;
  /** Empty: not in the trees. */
  path(): Promise<readonly string[]>;
  /** Present and former keys; empty if the account is gone. */
  certificatesOf(userId: string): Promise<readonly Certificate[]>;
  /** Their members may vouch for the group. */
  openParents(): Promise<void>;
}

/** Separate from `createKeyring`, which the sign-in page needs too. */
export function withGroups(keyring: Keyring) {
  const { call } = keyring;
  /** Key version by group. A promise: two reveals at once open the group once. */
  const opened = new Map<string, Promise<number>>();
  const older = new Map<string, Promise<unknown>>();
  const memberships = keepMemberships();
  const acceptanceListeners = new Set<() => void>();
  const unconfirmedListeners = new Set<() => Promise<void>>();

  function applyJudgements({ changed, stale }: RejudgedGroups) {
    for (const group of changed) memberships.keep(group.groupId, group);
    for (const groupId of stale) {
      opened.delete(groupId);
      older.delete(groupId);
      memberships.forget(groupId);
    }
  }

  async function openJudged(groupId: string, sources: GroupSources, isAgain = false): Promise<OpenedGroup> {
    const [{ seq, highest }, path] = await Promise.all([call('acceptedSeq', { groupId }), sources.path()]);
    let answer = await sources.rosters(seq);
    // A restored backup has only earlier lists.
    if (answer.rosters.length === 0 && seq !== null) answer = await sources.rosters(null);
    // First opening: the first list shows who made the group.
    const isFirstOpening = seq === null && answer.gk_version > 1 && (answer.rosters.at(0)?.seq ?? 0) > 0;
    if (isFirstOpening) answer = withAllOf(await sources.rosters(0), answer);
    const open = async (certificates: readonly Certificate[]) => {
      const group = await call('openGroup', { groupId, path, roster: answer, certificates });
      applyJudgements(group);
      return group;
    };
    const group = await open([]);
    const { trust } = group.details;
    const mayBeOutdated = trust.state === 'disputed' && (trust.why === 'rolled-back' || trust.why === 'forked');
    if (mayBeOutdated && !isAgain) {
      // Meanwhile this page accepted a newer list, or another browser's record brought an older one.
      const asked = await call('acceptedSeq', { groupId });
      if (asked.seq !== seq || asked.highest !== highest) return openJudged(groupId, sources, true);
    }
    if (trust.state === 'confirmed') return group;
    const signer = answer.rosters.at(-1)?.signer;
    if (signer !== undefined && trust.state === 'disputed' && (trust.why === 'signer' || trust.why === 'key')) {
      const certificates = await sources.certificatesOf(signer);
      return certificates.length > 0 ? open(certificates) : group;
    }
    if (trust.state !== 'unconfirmed' || trust.why === 'same-path' || trust.why === 'no-proof' || isAgain) return group;
    memberships.keep(groupId, group);
    await Promise.all([...unconfirmedListeners].map((listen) => listen()));
    await sources.openParents();
    const details = memberships.details(groupId);
    return details === undefined ? openJudged(groupId, sources, true) : { ...group, details };
  }

  const clear = () => {
    opened.clear();
    older.clear();
    memberships.clear();
  };
  keyring.onLocked(clear);
  keyring.onOpened(clear);

  return {
    ...keyring,

    memberships: memberships as Memberships,

    /** A rule may have confirmed a group: save the record. @returns unsubscribe */
    onAccepted(listener: () => void): () => void {
      acceptanceListeners.add(listener);
      return () => acceptanceListeners.delete(listener);
    },

    /** Awaited when an unconfirmed group opens: a newer record may confirm it. @returns unsubscribe */
    onUnconfirmed(listener: () => Promise<void>): () => void {
      unconfirmedListeners.add(listener);
      return () => unconfirmedListeners.delete(listener);
    },

    applyJudgements,

    /**
     * The signal ends only this caller's wait.
     * @returns the present key version
     * @throws KeyringError 'key_mismatch' for a locked group; the signal's reason
     */
    openGroup(groupId: string, sources: GroupSources, signal?: AbortSignal): Promise<number> {
      const known = opened.get(groupId);
      if (known !== undefined) return untilAborted(known, signal);
      const opening = openJudged(groupId, sources).then((group) => {
        memberships.keep(groupId, group);
        const { trust } = group.details;
        if (trust.state === 'confirmed') for (const listener of acceptanceListeners) listener();
        if (trust.state === 'locked') throw new KeyringError({ code: 'key_mismatch', detail: trust.why });
        return group.version;
      });
      opened.set(groupId, opening);
      opening.catch(() => {
        if (opened.get(groupId) === opening) opened.delete(groupId);
      });
      return untilAborted(opening, signal);
    },

    /** `fetchRosters` returns all lists from the first. */
    async openOlderVersions(groupId: string, fetchRosters: () => Promise<RosterAnswer>, signal?: AbortSignal) {
      const known = older.get(groupId);
      const opening =
        known ??
        fetchRosters().then(async (answer) => {
          const group = await call('openOlderVersions', { groupId, roster: answer });
          if (group !== null) memberships.keep(groupId, group);
        });
      older.set(groupId, opening);
      opening.catch(() => {
        if (older.get(groupId) === opening) older.delete(groupId);
      });
      await untilAborted(opening, signal);
    },

    /** Accepts an own list after the server stored it. */
    async keepOwnList(groupId: string, { roster_base64 }: { readonly roster_base64?: string | undefined }) {
      if (roster_base64 === undefined) return;
      const group = await call('keepOwnList', { groupId, roster_base64 });
      if (group === null) return;
      memberships.keep(groupId, group);
      applyJudgements(group);
    },

    /** The next `openGroup` asks the server again. */
    forgetGroup(groupId: string) {
      opened.delete(groupId);
      older.delete(groupId);
    },
  };
}

/** Only if they contain the newest list shown before, because a server must not roll back. */
function withAllOf(all: RosterAnswer, shown: RosterAnswer): RosterAnswer {
  const newest = shown.rosters.at(-1)?.roster_base64;
  return all.rosters.some(({ roster_base64 }) => roster_base64 === newest) ? all : shown;
}

export type VaultKeyring = ReturnType<typeof withGroups>;

/** Of opened groups, until the vault locks. `undefined`: not opened yet. */
export interface Memberships {
  /** Null: members are not signed. */
  readonly of: (groupId: string) => SignedMembership | null | undefined;
  readonly trust: (groupId: string) => GroupTrust | undefined;
  /** Null: members are not signed. */
  readonly signed: (groupId: string) => readonly SignedRow[] | null | undefined;
  readonly details: (groupId: string) => GroupTrustDetails | undefined;
  /** @returns unsubscribe */
  readonly subscribe: (listener: () => void) => () => void;
}

type Known = Pick<OpenedGroup, 'membership' | 'signed' | 'details'>;

interface KeptMemberships extends Memberships {
  keep(groupId: string, known: Known): void;
  forget(groupId: string): void;
  clear(): void;
}

export function keepMemberships(): KeptMemberships {
  const groups = new Map<string, Known>();
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of listeners) listener();
  };
  return {
    of: (groupId) => groups.get(groupId)?.membership,
    trust: (groupId) => groups.get(groupId)?.details.trust,
    signed: (groupId) => groups.get(groupId)?.signed,
    details: (groupId) => groups.get(groupId)?.details,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    keep(groupId, known) {
      groups.set(groupId, known);
      tell();
    },
    forget(groupId) {
      if (groups.delete(groupId)) tell();
    },
    clear() {
      groups.clear();
      tell();
    },
  };
}
