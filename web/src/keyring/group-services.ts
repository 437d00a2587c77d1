/** Groups as the worker opens, remembers and confirms them; what is asked is said in `member-calls.ts`. */
import { linkedRosterOf, type LinkedRoster } from '@passwordbroker/core/domain/roster-succession';
import { failingAs } from './describe-failure.ts';
import { goneOn } from './going-on.ts';
import type { HeldGroup } from './held-group.ts';
import type { OpenedGroup } from './member-calls.ts';
import { trustError } from './trust-error.ts';
import { openOlderVersions } from './older-versions.ts';
import { heldGroupOf, type OpenSession } from './open-session.ts';
import { openHeldGroup } from './opening-groups.ts';
import type { Services } from './remote.ts';
import { wordsOf } from './words-of.ts';

type GroupServices = Pick<
  Services,
  'ownKey' | 'acceptedSeq' | 'openGroup' | 'rememberGroup' | 'confirmGroup' | 'keepOwnList' | 'openOlderVersions'
>;

export function groupServices(session: () => OpenSession): GroupServices {
  return {
    async ownKey() {
      const { userId, fingerprint } = session().keyring;
      return { userId, ...(await wordsOf(fingerprint)) };
    },

    async acceptedSeq({ groupId }) {
      const accepted = await session().memory.accepted(groupId);
      return { seq: accepted?.seq ?? null, isOriginKnown: accepted?.origin !== undefined };
    },

    openGroup: (request) =>
      failingAs('key_mismatch', async () => {
        const present = session();
        const { keyring, memory, pins, groups, chains } = present;
        const { groupId } = request;
        const accepted = await memory.accepted(groupId);
        const known = { pins: pins.pinsOrNone(), canPin: pins.isReliable(), follow: chains.follow };
        const opening = { keyring, accepted, request, ...known };
        const group = await openHeldGroup(opening).catch((failure: unknown) => {
          // What was held before does not hold any more.
          groups.delete(groupId);
          throw failure;
        });
        groups.set(groupId, withKnownKeys(group, groups.get(groupId)));
        // Whether or not its signer can be pinned: what was accepted here is known from here on.
        await rememberGroup(present.memory, group);
        dropDrafts(present, group.base);
        return { ...describeGroup(present, group), firstSigner: group.firstSigner };
      }),

    async rememberGroup({ groupId }) {
      const { groups, memory } = session();
      const group = groups.get(groupId);
      if (group === undefined) return null;
      const met = { ...group, firstSigner: null };
      groups.set(groupId, met);
      await rememberGroup(memory, met);
      return null;
    },

    async confirmGroup({ groupId, hash, certificates }) {
      const present = session();
      const accepted = await present.memory.accepted(groupId);
      const group = heldGroupOf(present, groupId);
      if ((group.newest?.roster.hash ?? null) !== hash) throw trustError('other_list');
      const next = await goneOn(present, group, accepted, certificates);
      present.groups.delete(groupId);
      if (next !== null) await present.memory.replace(groupId, next.roster);
      return { signer: next?.signer ?? null };
    },

    async keepOwnList({ groupId, roster_base64 }) {
      const present = session();
      const { keyring, groups, drafts, memory } = present;
      const { hash } = await linkedRosterOf({ roster_base64 });
      const base = drafts.get(hash);
      if (base?.content.groupId !== groupId) return null;
      dropDrafts(present, base);
      await memory.remember(groupId, base);
      const group = groups.get(groupId);
      // Opened under this one, or under one after it, meanwhile.
      const isLate = (group?.base?.content.seq ?? -1) >= base.content.seq;
      if (group === undefined || isLate) return null;
      if (base.content.gkVersion !== group.version) {
        // A new key: its grant comes with the next opening.
        groups.delete(groupId);
        return null;
      }
      const { userId, fingerprint } = keyring;
      const newest = { roster: base, signer: { userId, fingerprint } };
      const kept: HeldGroup = { ...group, base, newest, firstSigner: null };
      groups.set(groupId, kept);
      return { ...describeGroup(present, kept), firstSigner: null };
    },

    openOlderVersions: ({ groupId, roster }) =>
      failingAs('key_mismatch', async () => {
        const present = session();
        const group = heldGroupOf(present, groupId);
        const { keys, origin } = await openOlderVersions(present.keyring, group, roster);
        const older = { ...group, keys, hasOlder: true, learntOrigin: origin ?? group.learntOrigin };
        present.groups.set(groupId, older);
        if (origin !== undefined) await rememberGroup(present.memory, older);
        return null;
      }),
  };
}

/** The same list vouches for the same keys: what was opened under it is not opened again. */
function withKnownKeys(group: HeldGroup, before: HeldGroup | undefined): HeldGroup {
  if (before === undefined || before.base === null || before.base.hash !== group.base?.hash) return group;
  return { ...group, keys: new Map([...before.keys, ...group.keys]), hasOlder: before.hasOlder };
}

/** That it was accepted on this device, with everything that is known of it. */
export async function rememberGroup(
  memory: OpenSession['memory'],
  { groupId, trust, base, firstSigner, learntOrigin: origin }: HeldGroup,
): Promise<void> {
  if (trust !== 'accepted' || base === null) return;
  await memory.remember(groupId, base, { origin, isUnpinned: firstSigner !== null });
}

/** Of all that were signed here for one place, the server takes one; and none for a place that is taken. */
function dropDrafts({ drafts }: OpenSession, taken: LinkedRoster | null): void {
  if (taken === null) return;
  const { groupId, seq } = taken.content;
  for (const [hash, { content }] of drafts) if (content.groupId === groupId && content.seq <= seq) drafts.delete(hash);
}

/** What the page may know of it. */
export function describeGroup(
  { keyring, memory }: Pick<OpenSession, 'keyring' | 'memory'>,
  { version, trust, base, newest }: HeldGroup,
): Omit<OpenedGroup, 'firstSigner'> {
  const members = base?.content.members ?? null;
  const self = members?.find(({ userId }) => userId === keyring.userId);
  const membership =
    self === undefined ? null : { role: self.role, isOwnKey: self.fingerprint === keyring.fingerprint };
  const isAsked = typeof trust === 'object' && newest !== null;
  const asked = isAsked
    ? { hash: newest.roster.hash, members: newest.roster.content.members, signerId: newest.signer.userId }
    : null;
  return { version, membership, trust, signed: members, newest: asked, isKept: memory.isKept() };
}
