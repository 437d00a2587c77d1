/** Which groups the worker has opened, and what opening them has shown. Several callers share one opening. */
import type { AnswerOf } from '@passwordbroker/core/contract/endpoint';
import type { Certificate } from '@passwordbroker/core/contract/entities';
import type { roster } from '@passwordbroker/core/contract/entry-groups';
import { untilAborted } from '../lib/until-aborted.ts';
import type { OpenedGroup, Signer } from './calls.ts';
import { KeyringError } from './keyring-error.ts';
import type { Keyring } from './keyring.ts';
import { keepMemberships, type Memberships } from './memberships.ts';

type RosterAnswer = AnswerOf<typeof roster>;
/** @param from the one that this device has accepted last, null for none: the newest alone */
type FetchRoster = (from: number | null) => Promise<RosterAnswer>;

/** What opening a group may have to ask about whoever signed its list of members. */
export interface Introductions {
  /** His present key and the former ones; none when he has none any more. */
  certificatesOf(userId: string): Promise<readonly Certificate[]>;
  /** His key is met for the first time: pins it, so that another one is noticed; sharing with him still asks (crypto.md §13). */
  meet(signer: Signer, groupId: string): Promise<void>;
}

/** The keyring as the vault works with it: groups are opened on the way. It is no part of the keyring itself, which the sign-in page needs, too. */
export function withGroups(keyring: Keyring) {
  const { call } = keyring;
  /** The present key version, by group. A promise, so that two reveals at once open it once. */
  const opened = new Map<string, Promise<number>>();
  const older = new Map<string, Promise<unknown>>();
  /** Signers who are being pinned: many groups have the same one. */
  const meetings = new Map<string, Promise<void>>();
  const memberships = keepMemberships();

  /** The newest list is judged on this device; who signed it is asked for, and pinned, where that is needed. */
  async function openWithTrust(
    groupId: string,
    fetchRoster: FetchRoster,
    introductions: Introductions | undefined,
    isAgain = false,
  ): Promise<OpenedGroup> {
    const { seq, isOriginKnown } = await call('acceptedSeq', { groupId });
    let answer = await fetchRoster(seq);
    // From there on there is none: the newest of a restored backup is an earlier one.
    if (answer.rosters.length === 0 && seq !== null) answer = await fetchRoster(null);
    // Who made it shows its first list, and once known that stays known. What the server made has a second key since it was signed.
    const isToBeLearnt = !isOriginKnown && answer.gk_version > 1 && (answer.rosters.at(0)?.seq ?? 0) > 0;
    if (isToBeLearnt) answer = await fetchRoster(0);
    const open = (certificates: readonly Certificate[]) => call('openGroup', { groupId, roster: answer, certificates });
    const signer = answer.rosters.at(-1)?.signer;
    let group = await open([]);
    if (isRolledBack(group) && (await call('acceptedSeq', { groupId })).seq !== seq && !isAgain) {
      // The answer was on its way while this page, or another tab, had a newer list taken: that is no earlier one that is shown.
      return openWithTrust(groupId, fetchRoster, introductions, true);
    }
    if (introductions === undefined || signer === undefined) return group;
    if (isAboutSigner(group)) {
      const certificates = await introductions.certificatesOf(signer);
      if (certificates.length > 0) group = await open(certificates);
    }
    if (group.firstSigner !== null) await meet(group.firstSigner, groupId, introductions);
    return group;
  }

  /** The list is remembered already. Until he is pinned, every opening meets him again. */
  async function meet(signer: Signer, groupId: string, introductions: Introductions) {
    const name = `${signer.userId} ${signer.fingerprint}`;
    const meeting = meetings.get(name) ?? introductions.meet(signer, groupId);
    meetings.set(name, meeting);
    try {
      await meeting;
      await call('rememberGroup', { groupId });
    } catch {
      meetings.delete(name);
    }
  }

  const clear = () => {
    opened.clear();
    older.clear();
    meetings.clear();
    memberships.clear();
  };
  keyring.onLocked(clear);
  // The worker begins anew with every unlock.
  keyring.onOpened(clear);

  return {
    ...keyring,

    memberships: memberships as Memberships,

    /**
     * Makes sure that the worker holds the group's key, under the signed list that this device accepts. The signal of one caller does not end the
     * opening for the others.
     * @returns the present key version
     * @throws KeyringError 'key_mismatch' when roster and key do not fit; the signal's reason
     */
    openGroup(
      groupId: string,
      fetchRoster: FetchRoster,
      signal?: AbortSignal,
      introductions?: Introductions,
    ): Promise<number> {
      const known = opened.get(groupId);
      if (known !== undefined) return untilAborted(known, signal);
      const opening = openWithTrust(groupId, fetchRoster, introductions).then((group) => {
        memberships.keep(groupId, group);
        return group.version;
      });
      opened.set(groupId, opening);
      opening.catch((failure: unknown) => {
        if (opened.get(groupId) === opening) opened.delete(groupId);
        const isMismatch = failure instanceof KeyringError && failure.code === 'key_mismatch';
        if (isMismatch) memberships.keepLocked(groupId, failure.detail === 'grant' ? 'grant' : 'roster');
      });
      return untilAborted(opening, signal);
    },

    /** The keys of the opened group's former versions, too; `fetchRosters` from the very first one on. */
    async openOlderVersions(groupId: string, fetchRosters: () => Promise<RosterAnswer>, signal?: AbortSignal) {
      const known = older.get(groupId);
      const opening = known ?? fetchRosters().then((answer) => call('openOlderVersions', { groupId, roster: answer }));
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
      if (group !== null) memberships.keep(groupId, group);
    },

    /** The server has a newer key version or list of members: the next `openGroup` asks again. */
    forgetGroup(groupId: string) {
      opened.delete(groupId);
      older.delete(groupId);
    },
  };
}

export type VaultKeyring = ReturnType<typeof withGroups>;

const faultOf = ({ trust }: OpenedGroup) => (typeof trust === 'object' && 'readOnly' in trust ? trust.readOnly : null);
const isAboutSigner = (group: OpenedGroup) => faultOf(group) === 'signer';
const isRolledBack = (group: OpenedGroup) => faultOf(group) === 'rolled-back';
