/** The key of a group from birth (secret, grants, signed roster), and opening it again (`crypto.md` §8, §9). */
import { decodeBase64, decodeHex, encodeBase64, encodeHex, sameBytes } from '../crypto/bytes.ts';
import { CryptoError } from '../crypto/errors.ts';
import type { CertificateWire, PublicIdentity } from './certificate.ts';
import {
  GRANT_ALGORITHM,
  type GroupKey,
  type GroupSecret,
  commitmentOf,
  createGroupSecret,
  deriveGroupKey,
  unwrapGroupSecret,
  wrapGroupSecret,
} from './grants.ts';
import type { Keyring } from './keyring.ts';
import type { Role } from './policy.ts';
import { type RosterContent, type RosterMember, type RosterWire, signRoster, verifyRoster } from './roster.ts';
import { isProofOf, proveRoster, type RosterProofWire, type SentProofs } from './trust/roster-proof.ts';

export interface NewGroupKeyWire extends RosterWire, SentProofs {
  readonly gk_commit_base64: string;
  readonly grants: readonly {
    readonly user_id: string;
    readonly role: Role;
    readonly recipient_fpr: string;
    readonly encrypted_aes_password: string;
  }[];
}

/** A member with verified keys. */
export interface SignedMember {
  readonly identity: PublicIdentity;
  readonly role: Role;
}

/** Which roster the new key is signed in, and of which version it is. */
export interface KeyPlace {
  readonly groupId: string;
  readonly version: number;
  readonly seq: number;
  /** Hex SHA-256 of the roster before; '' at seq 0. */
  readonly prev: string;
  /** See `RosterContent`. */
  readonly older?: ReadonlyMap<number, string>;
  readonly supersedes?: readonly string[];
}

/**
 * Makes the key of a new group, wraps it for each member and signs the roster of its birth.
 * @param members every member with verified keys; the maker must be among them as admin
 * @param now milliseconds
 */
export function createGroupKeys(
  keyring: Keyring,
  { groupId, members, now }: { groupId: string; members: readonly SignedMember[]; now: number },
): Promise<{ groupKey: GroupKey; wire: NewGroupKeyWire }> {
  return createKeyVersion(keyring, { groupId, version: 1, seq: 0, prev: '' }, { members, now });
}

interface KeyVersionMaking {
  readonly members: readonly SignedMember[];
  /** Milliseconds. */
  readonly now: number;
  /** Secret of the version before, which proves the change of version; absent at seq 0. */
  readonly former?: GroupSecret;
}

/** A new secret of any version, wrapped for exactly these members, with the roster that commits to it and its key proofs. */
export async function createKeyVersion(
  keyring: Keyring,
  { groupId, version, seq, prev, older, supersedes }: KeyPlace,
  { members, now, former }: KeyVersionMaking,
): Promise<{ groupKey: GroupKey; wire: NewGroupKeyWire }> {
  const secret = createGroupSecret();
  try {
    const [groupKey, commit, grants] = await Promise.all([
      deriveGroupKey(secret, groupId, version),
      commitmentOf(secret, groupId, version),
      Promise.all(
        members.map(async ({ identity, role }) => ({
          user_id: identity.userId,
          role,
          recipient_fpr: identity.fingerprint,
          encrypted_aes_password: encodeBase64(await wrapGroupSecret(secret, identity)),
        })),
      ),
    ]);
    const roster = await signRoster(keyring, {
      groupId,
      seq,
      prev,
      gkVersion: version,
      gkCommit: encodeHex(commit),
      members: members.map(rosterMemberOf),
      ts: Math.floor(now / 1000),
      hasProof: true,
      ...(supersedes === undefined ? {} : { supersedes }),
      ...(older === undefined ? {} : { older }),
    });
    const proofs = await provePair({ groupId, version, secret, former }, roster);
    return {
      groupKey: heldBy(keyring, groupKey),
      wire: { gk_commit_base64: encodeBase64(commit), grants, ...roster, ...proofs },
    };
  } finally {
    secret.fill(0);
  }
}

interface ProvedChange {
  readonly groupId: string;
  readonly version: number;
  readonly secret: GroupSecret;
  readonly former: GroupSecret | undefined;
}

async function provePair({ groupId, version, secret, former }: ProvedChange, roster: RosterWire): Promise<SentProofs> {
  const list = { groupId, version, rosterBase64: roster.roster_base64 };
  const roster_proof_base64 = await proveRoster(secret, list);
  if (former === undefined) return { roster_proof_base64 };
  return {
    roster_proof_base64,
    roster_proof_prev_base64: await proveRoster(former, { ...list, version: version - 1 }),
  };
}

export const rosterMemberOf = ({ identity, role }: SignedMember): RosterMember => ({
  userId: identity.userId,
  role,
  fingerprint: identity.fingerprint,
});

/** What `GET G/roster` answers, as far as keys need it. */
export interface GroupKeysWire {
  readonly gk_version: number;
  readonly origin: 'client' | 'server';
  readonly rosters: readonly (RosterWire &
    Partial<RosterProofWire> & { readonly signer_certificate: CertificateWire | null })[];
  readonly grants: readonly GrantWire[];
}

/** A grant as it is answered. */
export interface GrantWire {
  readonly user_id: string;
  readonly gk_version: number;
  readonly alg: string;
  readonly encrypted_aes_password_base64: string;
}

export interface OpenedGroup {
  /** The present key: new values are sealed under it. */
  readonly groupKey: GroupKey;
  /** Null for a group that the server made. */
  readonly roster: RosterContent | null;
  /** How the roster names oneself; a role or fingerprint other than what the server shows is to be told. Null without a roster. */
  readonly self: RosterMember | null;
}

/**
 * Verifies the newest roster, finds oneself in it, and opens the own grant against its commitment.
 * @throws CryptoError `roster`, also when one is no member of it, or `grant` when the secret is not the one that the roster commits to (the group is locked in this client)
 */
export async function openGroup(keyring: Keyring, wire: GroupKeysWire, groupId: string): Promise<OpenedGroup> {
  const newest = wire.rosters.at(-1);
  if (newest === undefined && wire.origin === 'client') throw new CryptoError('roster');
  const roster = newest === undefined ? null : { content: await verifyRoster(newest, groupId), wire: newest };
  return openGroupUnder(keyring, roster, { groupId, gkVersion: wire.gk_version, grants: wire.grants });
}

/** A verified list, as the server shows it. */
export interface ShownRoster {
  readonly content: RosterContent;
  readonly wire: Pick<RosterWire, 'roster_base64'> & Partial<RosterProofWire>;
}

/**
 * As `openGroup`, under a roster that has been verified (and, where the device remembers, accepted) already; null for a group that the server made.
 * @throws CryptoError `roster` when one is no member of it, or when its key proof is missing or wrong; `grant`
 */
export async function openGroupUnder(
  keyring: Keyring,
  shown: ShownRoster | null,
  { groupId, gkVersion, grants }: { groupId: string; gkVersion: number; grants: readonly GrantWire[] },
): Promise<OpenedGroup> {
  const roster = shown?.content ?? null;
  const self = roster?.members.find(({ userId }) => userId === keyring.userId) ?? null;
  // A person added without a signature is no member for themselves either.
  if (roster !== null && self === null) throw new CryptoError('roster');
  const version = roster?.gkVersion ?? gkVersion;
  const place = { groupId, version, gkCommit: roster?.gkCommit ?? null };
  const groupKey = await withOwnSecret(keyring, grants, place, async (secret) => {
    if (shown?.content.hasProof === true && !(await isProved(shown.wire, secret, place)))
      throw new CryptoError('roster');
    return heldBy(keyring, await deriveGroupKey(secret, groupId, version));
  });
  return { groupKey, roster, self };
}

const isProved = (
  { roster_base64: rosterBase64, roster_proof_base64 }: ShownRoster['wire'],
  secret: GroupSecret,
  { groupId, version }: CommittedVersion,
) => isProofOf(roster_proof_base64, secret, { groupId, version, rosterBase64 });

/** A version of a group's key, with what a roster says of it: hex, or null where no roster does. */
export interface CommittedVersion {
  readonly groupId: string;
  readonly version: number;
  readonly gkCommit: string | null;
}

/**
 * Unwraps the own grant of a version, holds it against the commitment, and wipes it after the work.
 * @throws CryptoError `grant` when there is none, or its secret is not the one committed to; `base64`, `locked`
 */
export async function withOwnSecret<T>(
  keyring: Keyring,
  grants: readonly GrantWire[],
  { groupId, version, gkCommit }: CommittedVersion,
  work: (secret: GroupSecret) => Promise<T>,
): Promise<T> {
  const grant = grants.find((one) => one.gk_version === version && one.user_id === keyring.userId);
  if (grant === undefined || grant.alg !== GRANT_ALGORITHM) throw new CryptoError('grant');
  const secret = await unwrapGroupSecret(keyring, decodeBase64(grant.encrypted_aes_password_base64));
  try {
    if (gkCommit !== null && !sameBytes(await commitmentOf(secret, groupId, version), decodeHex(gkCommit)))
      throw new CryptoError('grant');
    return await work(secret);
  } finally {
    secret.fill(0);
  }
}

/** The same key, which is refused with `locked` once the keyring that opened it is locked. */
export function heldBy(keyring: Keyring, { groupId, version, key }: GroupKey): GroupKey {
  return {
    groupId,
    version,
    get key() {
      keyring.keys();
      return key;
    },
  };
}
