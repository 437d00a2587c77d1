/** Keys are wrapped only for members on the list of a confirmed group and for confirmed keys. */
import { createGroupKeys, type SignedMember } from '@passwordbroker/core/domain/groups/group-keys';
import { addMember, changeRole, continueMembers, signAgain } from '@passwordbroker/core/domain/groups/member-change';
import type { RosterWire } from '@passwordbroker/core/domain/rosters/roster';
import { rewrapRows, startRotation } from '@passwordbroker/core/domain/groups/rotation';
import { linkedRosterOf } from '@passwordbroker/core/domain/rosters/roster-chain';
import { removedFrom, withAcceptedList, withRemoval } from '@passwordbroker/core/domain/trust/trust-record';
import { failingAs } from '../describe-failure.ts';
import {
  heldGroupOf,
  type HeldGroup,
  requireConfirmed,
  sealingKeyOf,
  sharedGroupOf,
  type OpenSession,
} from '../open-session.ts';
import { KeyringError, trustError } from '../keyring-error.ts';
import type { MemberCalls } from './member-calls.ts';
import { confirmedKey, verdictOn } from './people-services.ts';
import type { Services } from '../remote.ts';
import { memberName, requireKnownBefore } from '../trust/judging.ts';

type Acts = 'createGroupKeys' | 'addMember' | 'changeRole' | 'signAgain' | 'startRotation' | 'rewrapOlder';
type Listed = MemberCalls['addMember']['input']['listed'];
type Confirmed = MemberCalls['startRotation']['input']['confirmed'];

export function memberServices(session: () => OpenSession): Pick<Services, Acts> {
  return {
    createGroupKeys: ({ groupId, parentId, path, listed }) =>
      failingAs('key_mismatch', async () => {
        const { keyring, book } = session();
        await requireAnswers(session());
        const others =
          parentId === null ? [] : await remainingMembers(session(), heldGroupOf(session(), parentId), listed);
        const members = [
          { identity: keyring.identity, role: 'admin' as const },
          ...others.filter(({ identity }) => identity.userId !== keyring.userId),
        ];
        const { wire } = await createGroupKeys(keyring, { groupId, members, now: Date.now() });
        await recordMade(session(), [{ groupId, path, wire }]);
        if (book.record() !== null)
          session().known.set(groupId, new Set(members.map(({ identity }) => memberName(identity))));
        return { ...wire, grants: [...wire.grants] };
      }),

    async addMember({ groupId, person, role, key, listed, allowUnfinishedRotation }) {
      await requireAnswers(session());
      const held = heldGroupOf(session(), groupId);
      const group = sharedGroupOf(held);
      // The server keeps grants of former versions while revisions need them.
      const isUnfinished = group.grants.some(({ gk_version }) => gk_version < group.roster.content.gkVersion);
      if (isUnfinished && !allowUnfinishedRotation) throw trustError('rotation_unfinished');
      const { identity } = await confirmedKey(session(), person, key);
      // A former key of the person must not be used.
      const others = listed.filter(({ certificate }) => certificate.user_id !== person.userId);
      const members = await remainingMembers(session(), held, others);
      const { keyring, book } = session();
      // Adding a person again ends an earlier removal.
      const isOut = book.record()?.groups[groupId]?.out[person.userId]?.[1] === true;
      if (isOut)
        await book.decide((record, now) => withRemoval(record, { groupId, userId: person.userId, isOut: false }, now));
      const wire = await addMember(keyring, group, { member: { identity, role }, members, now: Date.now() });
      return drafted(session(), wire);
    },

    async changeRole({ groupId, userId, role, listed }) {
      await requireAnswers(session());
      const held = heldGroupOf(session(), groupId);
      const group = sharedGroupOf(held);
      const members = await remainingMembers(session(), held, listed);
      const wire = await changeRole(session().keyring, group, { userId, role, members, now: Date.now() });
      return drafted(session(), wire);
    },

    async signAgain({ groupId, listed, isUnasked }) {
      await requireAnswers(session());
      const held = heldGroupOf(session(), groupId);
      if (isUnasked) requireKnownBefore(session(), held);
      const group = sharedGroupOf(held);
      const members = await remainingMembers(session(), held, listed);
      const { superseded, keyring } = session();
      const supersedes = superseded.get(groupId)?.slice(-MOST_SUPERSEDED);
      const marks = supersedes === undefined ? {} : { supersedes };
      const wire = await signAgain(keyring, group, { members, now: Date.now(), ...marks });
      return drafted(session(), wire);
    },

    async startRotation({ groupId, listed, confirmed, isUnasked }) {
      await requireAnswers(session());
      const held = heldGroupOf(session(), groupId);
      if (isUnasked) requireKnownBefore(session(), held);
      const isUnsigned = held.trust.state === 'unsigned';
      const members = isUnsigned
        ? await confirmedMembers(session(), listed, confirmed)
        : await remainingMembers(session(), held, listed);
      const { groupId: id, base, gkVersion, grants } = held;
      const group = isUnsigned ? { groupId: id, roster: base, gkVersion, grants } : sharedGroupOf(held);
      const supersedes = session().superseded.get(groupId)?.slice(-MOST_SUPERSEDED);
      const { wire } = await startRotation(session().keyring, group, { members, now: Date.now(), supersedes });
      return drafted(session(), { ...wire, grants: [...wire.grants] });
    },

    async rewrapOlder({ groupId, rows, isUnasked }) {
      await requireAnswers(session());
      const group = heldGroupOf(session(), groupId);
      if (isUnasked) requireKnownBefore(session(), group);
      const present = sealingKeyOf(group);
      // Otherwise rows of unopened versions would be skipped as damaged.
      if (!group.hasOlder) throw new KeyringError({ code: 'key_mismatch', detail: 'version' });
      // Versions without a commitment only if a person started the rotation.
      const keys = isUnasked
        ? new Map([...group.keys].filter(([version]) => !group.uncommitted.has(version)))
        : group.keys;
      const { rewraps } = await rewrapRows(rows, keys, present);
      return { gk_version: present.version, rewraps: [...rewraps] };
    },
  };
}

const MOST_SUPERSEDED = 8;

interface MadeGroup {
  readonly groupId: string;
  readonly path: readonly string[];
  readonly wire: Pick<RosterWire, 'roster_base64'>;
}

/** Call before sending, so that the server cannot present these groups as unknown. */
export async function recordMade(
  { book, keyring }: Pick<OpenSession, 'book' | 'keyring'>,
  groups: readonly MadeGroup[],
) {
  const made = await Promise.all(
    groups.map(async ({ groupId, path, wire }) => ({ groupId, path, list: await linkedRosterOf(wire) })),
  );
  const [first] = made;
  const admins = { userId: keyring.userId, fingerprint: keyring.fingerprint };
  const accepted =
    first === undefined ? undefined : { groupId: first.groupId, hash: first.list.hash, admins: [admins] };
  await book.decide(
    (record, now) =>
      made.reduce(
        (next, { groupId, path, list: { content, hash } }) =>
          withAcceptedList(
            next,
            {
              groupId,
              hash,
              seq: content.seq,
              gkVersion: content.gkVersion,
              role: 'admin',
              hasProof: content.hasProof === true,
              path,
              origin: 'client',
              how: 'made',
            },
            now,
          ),
        record,
      ),
    accepted,
  );
}

/**
 * Await before anything is sealed or wrapped. Reads the device store: another tab may have doubted the
 * record.
 * @throws KeyringError 'last_use' while that question is open; 'record' if the record is missing or in doubt
 */
export async function requireAnswers({ book }: Pick<OpenSession, 'book'>): Promise<void> {
  await book.mergeOtherTabs();
  if (book.asksLastUse()) throw trustError('last_use');
  if (book.record() === null) throw trustError('record');
}

/** Keeps a signed list until the server has stored it or another one with its sequence number. */
async function drafted<Wire extends Partial<RosterWire>>({ drafts }: OpenSession, wire: Wire): Promise<Wire> {
  const { roster_base64 } = wire;
  if (roster_base64 !== undefined) {
    const draft = await linkedRosterOf({ roster_base64 });
    drafts.set(draft.hash, draft);
  }
  return wire;
}

/**
 * Members on the signed list that the server still lists, without those whom this person removed.
 * @throws KeyringError 'members_unsure' for keys neither signed nor recorded; as `requireConfirmed`
 */
export async function remainingMembers(
  session: OpenSession,
  group: HeldGroup,
  listed: Listed,
): Promise<readonly SignedMember[]> {
  requireConfirmed(group);
  const { roster } = sharedGroupOf(group);
  const { book } = session;
  const row = book.record()?.groups[group.groupId];
  const out = new Set(row === undefined ? [] : removedFrom(row));
  const signed = new Set(roster.content.members.map(({ userId }) => userId).filter((userId) => !out.has(userId)));
  const shown = listed.filter(({ certificate }) => signed.has(certificate.user_id));
  const chains = await Promise.all(shown.map((one) => session.chains.of(one)));
  const { members, unsure } = continueMembers(roster.content, chains, (chain) => verdictOn(session, chain));
  if (unsure.length > 0) throw trustError('members_unsure', { userIds: unsure });
  return members;
}

/**
 * Exactly the members and keys that the person confirmed.
 * @throws KeyringError 'members_unconfirmed'; as `confirmedKey`
 */
async function confirmedMembers(
  session: OpenSession,
  listed: Listed,
  confirmed: Confirmed,
): Promise<readonly SignedMember[]> {
  const { keyring } = session;
  if (confirmed === null) {
    const others = listed.map(({ certificate }) => certificate.user_id).filter((userId) => userId !== keyring.userId);
    throw trustError('members_unconfirmed', { userIds: others });
  }
  const shown = new Map(listed.map((one) => [one.certificate.user_id, one]));
  const members: SignedMember[] = [{ identity: keyring.identity, role: 'admin' }];
  for (const person of confirmed) {
    if (person.userId === keyring.userId) continue;
    const key = shown.get(person.userId);
    if (key === undefined) throw trustError('members_unconfirmed', { userIds: [person.userId] });
    const { identity } = await confirmedKey(session, person, key);
    members.push({ identity, role: person.role });
  }
  return members;
}
