/** Adding a member and changing a role: one wrap and the next roster a group, never a look at its entries (`crypto.md` §8, §9). */
import { encodeBase64 } from '../crypto/bytes.ts';
import { CryptoError } from '../crypto/errors.ts';
import type { KeyChain } from './certificate-chain.ts';
import { type GroupSecret, wrapGroupSecret } from './grants.ts';
import {
  type CommittedVersion,
  type GrantWire,
  type SignedMember,
  rosterMemberOf,
  withOwnSecret,
} from './group-keys.ts';
import type { Keyring } from './keyring.ts';
import type { KeyVerdict } from './pins.ts';
import type { Role } from './policy.ts';
import type { LinkedRoster } from './roster-succession.ts';
import { type RosterContent, type RosterWire, signRoster } from './roster.ts';
import { proveRoster, type SentProofs } from './trust/roster-proof.ts';

/** A group as this client has accepted it, with what an admin needs to act on its members. */
export interface SharedGroup {
  readonly groupId: string;
  /** The newest roster, accepted; null for a group that the server made and nobody has signed yet. */
  readonly roster: LinkedRoster | null;
  /** The group's version as the server says; the roster's counts where there is one. */
  readonly gkVersion: number;
  /** The own ones. */
  readonly grants: readonly GrantWire[];
}

/** The members that go on, and those whose present key nothing vouches for. */
export interface ContinuedMembers {
  readonly members: readonly SignedMember[];
  /** User ids: their key has to be compared, or they be removed, before the next roster can be signed. */
  readonly unsure: readonly string[];
}

/**
 * Who of an accepted roster goes on. Whom the server does not list any more is left out; whom the roster does not name is not taken in, whatever
 * the server lists; roles are the roster's. A member's present key counts when it was compared, or when it is the roster's or leads back to it and
 * nothing speaks against it.
 * @param present the server's list, each with his followed certificate
 * @param verdict what is known of this key of this person beside the roster
 */
export function continueMembers(
  roster: RosterContent,
  present: readonly KeyChain[],
  verdict: (chain: KeyChain) => KeyVerdict,
): ContinuedMembers {
  const chains = new Map(present.map((chain) => [chain.identity.userId, chain]));
  const members: SignedMember[] = [];
  const unsure: string[] = [];
  for (const { userId, role, fingerprint } of roster.members) {
    const chain = chains.get(userId);
    if (chain === undefined) continue;
    const known = verdict(chain);
    const isHis = known === 'compared' || (known === 'unknown' && chain.fingerprints.includes(fingerprint));
    if (isHis) members.push({ identity: chain.identity, role });
    else unsure.push(userId);
  }
  return { members, unsure };
}

/** What adding a member sends; the roster's members are absent in a group without one. */
export interface AddedMemberWire extends Partial<RosterWire>, SentProofs {
  readonly target_user_id: string;
  readonly role: Role;
  readonly recipient_fpr: string;
  readonly gk_version: number;
  readonly encrypted_aes_password: string;
}

/**
 * Wraps the group's secret for a person whose key has been confirmed, and signs the next roster with him. Taking in again somebody who was removed
 * is the same act.
 * @param members of `continueMembers`, none unsure; oneself among them as admin. Not read in a group without a roster
 * @param now milliseconds
 * @throws CryptoError `roster` when the signer would be no admin in it; `grant`, `locked`
 */
export async function addMember(
  keyring: Keyring,
  group: SharedGroup,
  { member, members, now }: { member: SignedMember; members: readonly SignedMember[]; now: number },
): Promise<AddedMemberWire> {
  const { identity, role } = member;
  const others = members.filter((one) => one.identity.userId !== identity.userId);
  return withOwnSecret(keyring, group.grants, presentVersionOf(group), async (secret) => ({
    target_user_id: identity.userId,
    role,
    recipient_fpr: identity.fingerprint,
    gk_version: presentVersionOf(group).version,
    encrypted_aes_password: encodeBase64(await wrapGroupSecret(secret, identity)),
    ...(group.roster === null
      ? {}
      : await signNext(keyring, group.roster, secret, { members: [...others, member], now })),
  }));
}

/** The version that acts on members are about. */
export const presentVersionOf = ({ groupId, roster, gkVersion }: SharedGroup): CommittedVersion => ({
  groupId,
  version: roster?.content.gkVersion ?? gkVersion,
  gkCommit: roster?.content.gkCommit ?? null,
});

/** What a change of role sends: the wrap stays as it is (decision G5). */
export interface ChangedRoleWire extends Partial<RosterWire>, SentProofs {
  readonly target_user_id: string;
  readonly role: Role;
  readonly gk_version: number;
}

/**
 * Signs the next roster, with another role of one member.
 * @param members of `continueMembers`, none unsure; oneself among them as admin. Not read in a group without a roster
 * @param now milliseconds
 * @throws CryptoError `roster` when he is no member of it, or the signer would be no admin in it; `grant`, `locked`
 */
export async function changeRole(
  keyring: Keyring,
  group: SharedGroup,
  { userId, role, members, now }: { userId: string; role: Role; members: readonly SignedMember[]; now: number },
): Promise<ChangedRoleWire> {
  const { roster } = group;
  if (roster !== null && !members.some(({ identity }) => identity.userId === userId)) throw new CryptoError('roster');
  const changed = members.map((one) => (one.identity.userId === userId ? { ...one, role } : one));
  return {
    target_user_id: userId,
    role,
    gk_version: presentVersionOf(group).version,
    ...(roster === null ? {} : await signAnew(keyring, { ...group, roster }, { members: changed, now })),
  };
}

interface NextList {
  readonly members: readonly SignedMember[];
  /** Milliseconds. */
  readonly now: number;
  /** Hashes of accepted lists that a person went on from although this chain does not follow them. */
  readonly supersedes?: readonly string[];
}

/** A signed list with its key proof, as it is sent. */
export type ProvedListWire = RosterWire & Required<Pick<SentProofs, 'roster_proof_base64'>>;

/**
 * Signs the next roster under the same key: for lists of release 1.0, which have no key proof, and after a person has gone on from a list.
 * @param members of `continueMembers`, none unsure; oneself among them as admin
 * @throws CryptoError `roster` when the signer would be no admin in it; `grant`, `locked`
 */
export function signAnew(
  keyring: Keyring,
  group: SharedGroup & { readonly roster: LinkedRoster },
  next: NextList,
): Promise<ProvedListWire> {
  return withOwnSecret(keyring, group.grants, presentVersionOf(group), (secret) =>
    signNext(keyring, group.roster, secret, next),
  );
}

async function signNext(
  keyring: Keyring,
  roster: LinkedRoster,
  secret: GroupSecret,
  { members, now, supersedes }: NextList,
): Promise<ProvedListWire> {
  requireAdmin(keyring, members);
  const { groupId, seq, gkVersion, gkCommit } = roster.content;
  const signed = await signRoster(keyring, {
    groupId,
    seq: seq + 1,
    prev: roster.hash,
    gkVersion,
    gkCommit,
    members: members.map(rosterMemberOf),
    ts: Math.floor(now / 1000),
    hasProof: true,
    ...(supersedes === undefined ? {} : { supersedes }),
  });
  const proved = { groupId, version: gkVersion, rosterBase64: signed.roster_base64 };
  return { ...signed, roster_proof_base64: await proveRoster(secret, proved) };
}

/** A roster that nobody could accept is not signed. @throws CryptoError `roster` unless the signer is an admin of it, under his own key */
export function requireAdmin(keyring: Keyring, members: readonly SignedMember[]): void {
  const self = members.find(({ identity }) => identity.userId === keyring.userId);
  const isAdmin = self?.role === 'admin' && self.identity.fingerprint === keyring.fingerprint;
  if (!isAdmin) throw new CryptoError('roster');
}
