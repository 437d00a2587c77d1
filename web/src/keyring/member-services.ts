/**
 * Acts on the members of groups (crypto.md §8, §9, §12): what is asked is said in `member-calls.ts`. Nothing is wrapped but for the members of the
 * accepted list, and for the one person whose key has just been confirmed.
 */
import { acceptedRosterOf } from '@passwordbroker/core/domain/accepted-rosters';
import { createGroupKeys, type SignedMember } from '@passwordbroker/core/domain/group-keys';
import { addMember, changeRole, continueMembers } from '@passwordbroker/core/domain/member-change';
import { verdictOn } from '@passwordbroker/core/domain/pins';
import type { RosterWire } from '@passwordbroker/core/domain/roster';
import { rewrapRows, startRotation } from '@passwordbroker/core/domain/rotation';
import { linkedRosterOf, type LinkedRoster } from '@passwordbroker/core/domain/roster-succession';
import { failingAs } from './describe-failure.ts';
import { sealingKeyOf, sharedGroupOf } from './held-group.ts';
import { KeyringError } from './keyring-error.ts';
import { trustError } from './trust-error.ts';
import type { MemberCalls } from './member-calls.ts';
import { heldGroupOf, type OpenSession } from './open-session.ts';
import { confirmedKey } from './people-services.ts';
import type { Services } from './remote.ts';

type Acts = 'createGroupKeys' | 'addMember' | 'changeRole' | 'startRotation' | 'rewrapOlder';
type Listed = MemberCalls['addMember']['input']['listed'];
type Confirmed = MemberCalls['startRotation']['input']['confirmed'];

export function memberServices(session: () => OpenSession): Pick<Services, Acts> {
  return {
    createGroupKeys: ({ groupId, parentId, listed, confirmed }) =>
      failingAs('key_mismatch', async () => {
        const { keyring, memory } = session();
        const others = parentId === null ? [] : await membersOf(session(), parentId, listed, confirmed);
        const members = [
          { identity: keyring.identity, role: 'admin' as const },
          ...others.filter(({ identity }) => identity.userId !== keyring.userId),
        ];
        const { wire } = await createGroupKeys(keyring, { groupId, members, now: Date.now() });
        // Remembered before anybody has seen it: whatever the server makes of it, this device never meets its own group as a new one.
        await memory.replace(groupId, acceptedRosterOf(await linkedRosterOf(wire), keyring.userId));
        return { ...wire, grants: [...wire.grants] };
      }),

    async addMember({ groupId, person, role, key, listed, evenUnfinished }) {
      const group = sharedGroupOf(heldGroupOf(session(), groupId));
      // Grants of former versions are there as long as revisions need them.
      const version = group.roster?.content.gkVersion ?? group.gkVersion;
      const isUnfinished = group.grants.some(({ gk_version }) => gk_version < version);
      if (isUnfinished && !evenUnfinished) throw trustError('rotation_unfinished');
      const { identity } = await confirmedKey(session(), person, key);
      // His own former key, if he was a member before, is not what he is taken in with.
      const others = listed.filter(({ certificate }) => certificate.user_id !== person.userId);
      const members = await continued(session(), group.roster, others);
      const { keyring } = session();
      const wire = await addMember(keyring, group, { member: { identity, role }, members, now: Date.now() });
      return drafted(session(), wire);
    },

    async changeRole({ groupId, userId, role, listed }) {
      const group = sharedGroupOf(heldGroupOf(session(), groupId));
      const members = await continued(session(), group.roster, listed);
      const wire = await changeRole(session().keyring, group, { userId, role, members, now: Date.now() });
      return drafted(session(), wire);
    },

    async startRotation({ groupId, listed, confirmed }) {
      const group = sharedGroupOf(heldGroupOf(session(), groupId));
      const members = await membersOf(session(), groupId, listed, confirmed);
      const { wire } = await startRotation(session().keyring, group, { members, now: Date.now() });
      return drafted(session(), { ...wire, grants: [...wire.grants] });
    },

    async rewrapOlder({ groupId, rows }) {
      const group = heldGroupOf(session(), groupId);
      const present = sealingKeyOf(group);
      // A row of a version that was never looked for is no damaged one.
      if (!group.hasOlder) throw new KeyringError({ code: 'key_mismatch', detail: 'version' });
      const { rewraps } = await rewrapRows(rows, group.keys, present);
      return { gk_version: present.version, rewraps: [...rewraps] };
    },
  };
}

/** Keeps the list that was signed, until the server has taken it or another one in its place. */
async function drafted<Wire extends Partial<RosterWire>>({ drafts }: OpenSession, wire: Wire): Promise<Wire> {
  const { roster_base64 } = wire;
  if (roster_base64 !== undefined) {
    const draft = await linkedRosterOf({ roster_base64 });
    drafts.set(draft.hash, draft);
  }
  return wire;
}

/**
 * Who of the accepted list goes on; nobody else, whatever the server lists.
 * @throws KeyringError 'members_unsure' when a key is another one than the signed, and nothing vouches for it
 */
async function continued(
  session: OpenSession,
  roster: LinkedRoster | null,
  listed: Listed,
): Promise<readonly SignedMember[]> {
  if (roster === null) return [];
  const signed = new Set(roster.content.members.map(({ userId }) => userId));
  const shown = listed.filter(({ certificate }) => signed.has(certificate.user_id));
  const chains = await Promise.all(shown.map((one) => session.chains.of(one)));
  const pins = session.pins.pinsOrNone();
  const { members, unsure } = continueMembers(roster.content, chains, (chain) =>
    verdictOn(chain, pins, session.keyring),
  );
  if (unsure.length > 0) throw trustError('members_unsure', { userIds: unsure });
  return members;
}

/**
 * The members who go on, in the group itself or in a child of it (crypto.md §8): as they are signed; where nobody has signed them, exactly those whom a
 * person has confirmed. That a key is trusted says whose it is, and not that he belongs there.
 */
function membersOf(
  session: OpenSession,
  groupId: string,
  listed: Listed,
  confirmed: Confirmed,
): Promise<readonly SignedMember[]> {
  const { roster } = sharedGroupOf(heldGroupOf(session, groupId));
  return roster === null ? confirmedMembers(session, listed, confirmed) : continued(session, roster, listed);
}

/** Exactly those of the list that a person has confirmed, each under the key that he saw. */
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
