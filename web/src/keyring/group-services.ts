/** Groups as the worker opens, remembers and confirms them; what is asked is said in `member-calls.ts`. */
import { acceptedRosterOf, type GroupOrigin } from '@passwordbroker/core/domain/accepted-rosters';
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

    acceptedSeq: async ({ groupId }) => (await session().memory.accepted(groupId))?.seq ?? null,

    openGroup: (request) =>
      failingAs('key_mismatch', async () => {
        const present = session();
        const { keyring, memory, pins, groups, chains } = present;
        const { groupId } = request;
        const accepted = await memory.accepted(groupId);
        const known = { pins: pins.pinsOrNone(), canPin: pins.isReliable(), follow: chains.follow };
        const opening = { keyring, accepted, request, ...known };
        const { group, firstSigner } = await openHeldGroup(opening).catch((failure: unknown) => {
          // What was held before does not hold any more.
          groups.delete(groupId);
          throw failure;
        });
        groups.set(groupId, withKnownKeys(group, groups.get(groupId)));
        if (firstSigner === null) await remember(present, group);
        return { ...describeGroup(present, group), firstSigner };
      }),

    async rememberGroup({ groupId }) {
      await remember(session(), heldGroupOf(session(), groupId));
      return null;
    },

    async confirmGroup({ groupId, hash }) {
      const present = session();
      const accepted = await present.memory.accepted(groupId);
      const group = heldGroupOf(present, groupId);
      if ((group.newest?.roster.hash ?? null) !== hash) throw trustError('other_list');
      const next = goneOn(present, group, accepted);
      present.groups.delete(groupId);
      if (next !== null) await present.memory.replace(groupId, next.roster);
      return { signer: next?.signer ?? null };
    },

    async keepOwnList({ groupId }) {
      const present = session();
      const { keyring, groups, drafts } = present;
      const [group, base] = [heldGroupOf(present, groupId), drafts.get(groupId)];
      drafts.delete(groupId);
      if (base === undefined) return null;
      if (base.content.gkVersion !== group.version) {
        // A new key: its grant comes with the next opening.
        await present.memory.remember(groupId, acceptedRosterOf(base, keyring.userId));
        groups.delete(groupId);
        return null;
      }
      const { userId, fingerprint } = keyring;
      const kept: HeldGroup = { ...group, base, newest: { roster: base, signer: { userId, fingerprint } } };
      groups.set(groupId, kept);
      await remember(present, kept);
      return { ...describeGroup(present, kept), firstSigner: null };
    },

    openOlderVersions: ({ groupId, roster }) =>
      failingAs('key_mismatch', async () => {
        const present = session();
        const group = heldGroupOf(present, groupId);
        const { keys, origin } = await openOlderVersions(present.keyring, group, roster);
        const older = { ...group, keys, hasOlder: true };
        present.groups.set(groupId, older);
        if (origin !== undefined) await remember(present, older, origin);
        return null;
      }),
  };
}

/** The same list vouches for the same keys: what was opened under it is not opened again. */
function withKnownKeys(group: HeldGroup, before: HeldGroup | undefined): HeldGroup {
  if (before === undefined || before.base === null || before.base.hash !== group.base?.hash) return group;
  return { ...group, keys: new Map([...before.keys, ...group.keys]), hasOlder: before.hasOlder };
}

/** @param origin where its first list has shown it */
async function remember(
  { keyring, memory }: OpenSession,
  { groupId, trust, base }: HeldGroup,
  origin?: GroupOrigin,
): Promise<void> {
  if (trust !== 'accepted' || base === null) return;
  const roster = acceptedRosterOf(base, keyring.userId);
  await memory.remember(groupId, origin === undefined ? roster : { ...roster, origin });
}

/** What the page may know of it. */
export function describeGroup(
  { keyring }: Pick<OpenSession, 'keyring'>,
  { version, trust, base, newest }: HeldGroup,
): Omit<OpenedGroup, 'firstSigner'> {
  const members = base?.content.members ?? null;
  const self = members?.find(({ userId }) => userId === keyring.userId);
  const membership =
    self === undefined ? null : { role: self.role, isOwnKey: self.fingerprint === keyring.fingerprint };
  const isAsked = typeof trust === 'object' && newest !== null;
  const asked = isAsked ? { hash: newest.roster.hash, members: newest.roster.content.members } : null;
  return { version, membership, trust, signed: members, newest: asked };
}
