/** Groups as the worker opens, remembers and confirms them; what is asked is said in `member-calls.ts`. */
import type { LinkedRoster } from '@passwordbroker/core/domain/roster-succession';
import { failingAs } from './describe-failure.ts';
import type { HeldGroup } from './held-group.ts';
import { trustError } from './trust-error.ts';
import type { OpenedGroup } from './member-calls.ts';
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

    async confirmGroup({ groupId }) {
      const { keyring, memory, pins, groups } = session();
      const { newest } = heldGroupOf(session(), groupId);
      if (newest !== null && !isAdminIn(newest.roster, keyring.userId)) throw trustError('not_admin');
      groups.delete(groupId);
      if (newest === null) {
        await memory.replace(groupId, null);
        return { signer: null };
      }
      const { userId, fingerprint } = newest.signer;
      const isOwn = userId === keyring.userId;
      const known = isOwn ? keyring.fingerprint : pins.pins().get(userId)?.fingerprint;
      // One's own keys of before cannot be compared with anybody; who never had others has signed nothing with them.
      const isFormer = isOwn && keyring.identity.keysetVersion > 1;
      // Another key than the pinned one is compared first: confirming the list says nothing about it.
      const isRefused = known !== undefined && known !== fingerprint && !isFormer;
      if (isRefused) throw trustError('key_changed', { userIds: [userId] });
      await memory.replace(groupId, { seq: newest.roster.content.seq, hash: newest.roster.hash });
      return { signer: known === undefined ? newest.signer : null };
    },

    async keepOwnList({ groupId }) {
      const present = session();
      const { keyring, groups, drafts } = present;
      const [group, base] = [heldGroupOf(present, groupId), drafts.get(groupId)];
      drafts.delete(groupId);
      if (base === undefined) return null;
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
        const keys = await openOlderVersions(present.keyring, group, roster);
        present.groups.set(groupId, { ...group, keys, hasOlder: true });
        return null;
      }),
  };
}

/** Rolled back or forked, a list is gone on from by an admin of it alone (crypto.md §9); where there is none, the server's word is all there is. */
const isAdminIn = ({ content }: LinkedRoster, userId: string) =>
  content.members.some((member) => member.userId === userId && member.role === 'admin');

/** The same list vouches for the same keys: what was opened under it is not opened again. */
function withKnownKeys(group: HeldGroup, before: HeldGroup | undefined): HeldGroup {
  if (before === undefined || before.base === null || before.base.hash !== group.base?.hash) return group;
  return { ...group, keys: new Map([...before.keys, ...group.keys]), hasOlder: before.hasOlder };
}

async function remember({ memory }: OpenSession, { groupId, trust, base }: HeldGroup): Promise<void> {
  if (trust !== 'accepted' || base === null) return;
  await memory.remember(groupId, { seq: base.content.seq, hash: base.hash });
}

/** What the page may know of it. */
export function describeGroup(
  { keyring }: Pick<OpenSession, 'keyring'>,
  { version, trust, base }: HeldGroup,
): Omit<OpenedGroup, 'firstSigner'> {
  const members = base?.content.members ?? null;
  const self = members?.find(({ userId }) => userId === keyring.userId);
  const membership =
    self === undefined ? null : { role: self.role, isOwnKey: self.fingerprint === keyring.fingerprint };
  return { version, membership, trust, signed: members };
}
