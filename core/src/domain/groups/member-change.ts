/** Adding a member and changing a role: one wrap and the next roster (docs/spec/crypto.md §8, §9). */
import { encodeBase64 } from '../../crypto/bytes.ts';
import { CryptoError } from '../../crypto/errors.ts';
import type { KeyChain } from '../keyring/certificate.ts';
import { type GroupSecret, wrapGroupSecret } from './grants.ts';
import {
  type CommittedVersion,
  type GrantWire,
  type SignedMember,
  rosterMemberOf,
  withOwnSecret,
} from './group-keys.ts';
import type { Keyring } from '../keyring/keyring.ts';
import type { KeyVerdict } from '../trust/key-verdict.ts';
import type { Role } from '../policy.ts';
import type { LinkedRoster } from '../rosters/roster-chain.ts';
import { type RosterContent, type RosterWire, signRoster, proveRoster, type SentProofs } from '../rosters/roster.ts';

/** Its roster was accepted by this client. */
export interface SharedGroup {
  readonly groupId: string;
  /** The newest one; null for a group that the server created and nobody signed. */
  readonly roster: LinkedRoster | null;
  /** From the server; used only without a roster. */
  readonly gkVersion: number;
  readonly grants: readonly GrantWire[];
}

export interface ContinuedMembers {
  readonly members: readonly SignedMember[];
  /** User ids: compare their keys or remove them before signing. */
  readonly unsure: readonly string[];
}

/**
 * Members for the next roster: those of `roster` whom the server still lists. A key is trusted if it was
 * compared, or is `not-compared` and its chain contains the roster's fingerprint.
 * @param present the server's members, with verified certificate chains
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
    const isTrusted = known === 'compared' || (known === 'not-compared' && chain.fingerprints.includes(fingerprint));
    if (isTrusted) members.push({ identity: chain.identity, role });
    else unsure.push(userId);
  }
  return { members, unsure };
}

export interface AddedMemberWire extends Partial<RosterWire>, SentProofs {
  readonly target_user_id: string;
  readonly role: Role;
  readonly recipient_fpr: string;
  readonly gk_version: number;
  readonly encrypted_aes_password: string;
}

/**
 * Wraps the group's secret for a confirmed key and signs the next roster.
 * @param members from `continueMembers`, none unsure, the caller as admin @param now Unix ms
 * @throws CryptoError `roster` if the signer is not an admin; `grant`, `locked`
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

export const presentVersionOf = ({ groupId, roster, gkVersion }: SharedGroup): CommittedVersion => ({
  groupId,
  version: roster?.content.gkVersion ?? gkVersion,
  gkCommit: roster?.content.gkCommit ?? null,
});

export interface ChangedRoleWire extends Partial<RosterWire>, SentProofs {
  readonly target_user_id: string;
  readonly role: Role;
  readonly gk_version: number;
}

/**
 * Signs the next roster with another role; the wrap stays (docs/spec/decisions.md G5).
 * @throws CryptoError `roster` if the person is not a member or the signer not an admin; `grant`, `locked`
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
    ...(roster === null ? {} : await signAgain(keyring, { ...group, roster }, { members: changed, now })),
  };
}

interface NextList {
  readonly members: readonly SignedMember[];
  /** Unix ms. */
  readonly now: number;
  /** Hashes of accepted rosters that a person chose to replace. */
  readonly supersedes?: readonly string[];
}

export type ProvedListWire = RosterWire & Required<Pick<SentProofs, 'roster_proof_base64'>>;

/**
 * Signs the next roster under the same key, to add a key proof or to replace an accepted one.
 * @throws CryptoError `roster` if the signer is not an admin; `grant`, `locked`
 */
export function signAgain(
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

/** @throws CryptoError `roster` unless the signer is listed as admin with the key of `keyring` */
export function requireAdmin(keyring: Keyring, members: readonly SignedMember[]): void {
  const self = members.find(({ identity }) => identity.userId === keyring.userId);
  const isAdmin = self?.role === 'admin' && self.identity.fingerprint === keyring.fingerprint;
  if (!isAdmin) throw new CryptoError('roster');
}
