/** Which groups the worker has opened, and how they were judged. Several callers share one opening. */
import type { AnswerOf } from '@passwordbroker/core/contract/endpoint';
import type { Certificate } from '@passwordbroker/core/contract/entities';
import type { roster } from '@passwordbroker/core/contract/groups/entry-groups';
import { untilAborted } from '../../transport/until-aborted.ts';
import type { JudgedAnew, OpenedGroup } from '../calls.ts';
import { KeyringError } from '../keyring-error.ts';
import type { Keyring } from '../keyring.ts';
import { keepMemberships, type Memberships } from './memberships.ts';

type RosterAnswer = AnswerOf<typeof roster>;

/** What opening a group may have to ask the server for. */
export interface GroupSources {
  /** @param from the lowest accepted list, null for none: the newest alone */
  rosters(from: number | null): Promise<RosterAnswer>;
  /** Names from the root as shown; empty where it is not in the trees. */
  path(): Promise<readonly string[]>;
  /** Present and former keys of somebody; none when the account is gone. */
  certificatesOf(userId: string): Promise<readonly Certificate[]>;
  /** Opens the groups above it, whose members may vouch for it. */
  openParents(): Promise<void>;
}

/** The keyring as the vault works with it: groups are opened on the way. It is no part of the keyring itself, which the sign-in page needs, too. */
export function withGroups(keyring: Keyring) {
  const { call } = keyring;
  /** The present key version, by group. A promise, so that two reveals at once open it once. */
  const opened = new Map<string, Promise<number>>();
  const older = new Map<string, Promise<unknown>>();
  const memberships = keepMemberships();
  const acceptanceListeners = new Set<() => void>();
  const unconfirmedListeners = new Set<() => Promise<void>>();

  /** Takes over what a decision, a newer record or another group's list has changed. */
  function take({ changed, stale }: JudgedAnew) {
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
    // From there on there is none: the newest of a restored backup is an earlier one.
    if (answer.rosters.length === 0 && seq !== null) answer = await sources.rosters(null);
    // The first list shows who made a group that is opened for the first time.
    const isToBeLearnt = seq === null && answer.gk_version > 1 && (answer.rosters.at(0)?.seq ?? 0) > 0;
    if (isToBeLearnt) answer = withAllOf(await sources.rosters(0), answer);
    const open = async (certificates: readonly Certificate[]) => {
      const group = await call('openGroup', { groupId, path, roster: answer, certificates });
      take(group);
      return group;
    };
    const group = await open([]);
    const { trust } = group.details;
    const mayBeOutdated = trust.state === 'disputed' && (trust.why === 'rolled-back' || trust.why === 'forked');
    if (mayBeOutdated && !isAgain) {
      // While the answer was on its way, this page accepted a newer list, or another browser's record brought an older one along.
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
  // The worker begins anew with every unlock.
  keyring.onOpened(clear);

  return {
    ...keyring,

    memberships: memberships as Memberships,

    /** Called when a rule may have confirmed a group: the record is to be written when it suits. @returns how to stop listening */
    onAccepted(listener: () => void): () => void {
      acceptanceListeners.add(listener);
      return () => acceptanceListeners.delete(listener);
    },

    /** Waited for when a group opens that is not confirmed: a newer record may confirm it. @returns how to stop listening */
    onUnconfirmed(listener: () => Promise<void>): () => void {
      unconfirmedListeners.add(listener);
      return () => unconfirmedListeners.delete(listener);
    },

    take,

    /**
     * Makes sure that the worker holds the group's key, under the list that counts for it. The signal of one caller does not end the
     * opening for the others.
     * @returns the present key version
     * @throws KeyringError 'key_mismatch' when list and key are broken; the signal's reason
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

    /** The keys of the opened group's former versions, too; `fetchRosters` from the very first one on. */
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

    /** The server has taken what was sent: its list, where it has one, was signed here. */
    async keepOwnList(groupId: string, { roster_base64 }: { readonly roster_base64?: string | undefined }) {
      if (roster_base64 === undefined) return;
      const group = await call('keepOwnList', { groupId, roster_base64 });
      if (group === null) return;
      memberships.keep(groupId, group);
      take(group);
    },

    /** The server has a newer key version or list of members: the next `openGroup` asks again. */
    forgetGroup(groupId: string) {
      opened.delete(groupId);
      older.delete(groupId);
    },
  };
}

/** The lists from the first one on, if they contain the newest one that was shown before; else that one: a server must not go back behind it. */
function withAllOf(all: RosterAnswer, shown: RosterAnswer): RosterAnswer {
  const newest = shown.rosters.at(-1)?.roster_base64;
  return all.rosters.some(({ roster_base64 }) => roster_base64 === newest) ? all : shown;
}

export type VaultKeyring = ReturnType<typeof withGroups>;
