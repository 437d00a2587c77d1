/** Creates and opens the key of a group (docs/spec/crypto.md §8, §9). */
import { decodeBase64, decodeHex, encodeBase64, encodeHex, sameBytes } from '../../crypto/bytes.ts';
import { CryptoError } from '../../crypto/errors.ts';
import type { CertificateWire, PublicIdentity } from '../keyring/certificate.ts';
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
import type { Keyring } from '../keyring/keyring.ts';
import type { Role } from '../policy.ts';
import {
  type RosterContent,
  type RosterMember,
  type RosterWire,
  signRoster,
  verifyRoster,
  isProofOf,
  proveRoster,
  type RosterProofWire,
  type SentProofs,
} from '../rosters/roster.ts';

export interface NewGroupKeyWire extends RosterWire, SentProofs {
  readonly gk_commit_base64: string;
  readonly grants: readonly {
    readonly user_id: string;
    readonly role: Role;
    readonly recipient_fpr: string;
    readonly encrypted_aes_password: string;
  }[];
}

/** With verified keys. */
export interface SignedMember {
  readonly identity: PublicIdentity;
  readonly role: Role;
}

export interface NextKeyVersion {
  readonly groupId: string;
  readonly version: number;
  readonly seq: number;
  /** Hex SHA-256 of the previous roster; '' at seq 0. */
  readonly prev: string;
  readonly older?: ReadonlyMap<number, string>;
  readonly supersedes?: readonly string[];
}

/**
 * Wraps a new key for each member and signs the first roster.
 * @param members with verified keys, the creator as admin
 * @param now Unix ms @throws CryptoError `roster`, `locked`
 */
export function createGroupKeys(
  keyring: Keyring,
  { groupId, members, now }: { groupId: string; members: readonly SignedMember[]; now: number },
): Promise<{ groupKey: GroupKey; wire: NewGroupKeyWire }> {
  return createKeyVersion(keyring, { groupId, version: 1, seq: 0, prev: '' }, { members, now });
}

interface KeyVersionMaking {
  readonly members: readonly SignedMember[];
  /** Unix ms. */
  readonly now: number;
  /** Of the previous version, to prove the change; absent at seq 0. */
  readonly former?: GroupSecret;
}

/** Like `createGroupKeys`, for any version. */
export async function createKeyVersion(
  keyring: Keyring,
  { groupId, version, seq, prev, older, supersedes }: NextKeyVersion,
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
      groupKey: lockedWith(keyring, groupKey),
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

export interface GroupKeysWire {
  readonly gk_version: number;
  readonly origin: 'client' | 'server';
  readonly rosters: readonly (RosterWire &
    Partial<RosterProofWire> & { readonly signer_certificate: CertificateWire | null })[];
  readonly grants: readonly GrantWire[];
}

export interface GrantWire {
  readonly user_id: string;
  readonly gk_version: number;
  readonly alg: string;
  readonly encrypted_aes_password_base64: string;
}

export interface OpenedGroupKey {
  readonly groupKey: GroupKey;
  /** Null for a group that the server created. */
  readonly roster: RosterContent | null;
  /** The caller's row. Show a difference from the server's role or fingerprint to the person. */
  readonly self: RosterMember | null;
}

/**
 * Verifies the newest roster and opens the caller's grant against its commitment.
 * @throws CryptoError `roster` (also if the caller is not a member), `grant`
 */
export async function openGroup(keyring: Keyring, wire: GroupKeysWire, groupId: string): Promise<OpenedGroupKey> {
  const newest = wire.rosters.at(-1);
  if (newest === undefined && wire.origin === 'client') throw new CryptoError('roster');
  const roster = newest === undefined ? null : { content: await verifyRoster(newest, groupId), wire: newest };
  return openGroupUnder(keyring, roster, { groupId, gkVersion: wire.gk_version, grants: wire.grants });
}

export interface ShownRoster {
  readonly content: RosterContent;
  readonly wire: Pick<RosterWire, 'roster_base64'> & Partial<RosterProofWire>;
}

/**
 * Like `openGroup`, with a verified roster; null for a group that the server created.
 * @throws CryptoError `roster` if the caller is not a member or the key proof is missing or wrong; `grant`
 */
export async function openGroupUnder(
  keyring: Keyring,
  shown: ShownRoster | null,
  { groupId, gkVersion, grants }: { groupId: string; gkVersion: number; grants: readonly GrantWire[] },
): Promise<OpenedGroupKey> {
  const roster = shown?.content ?? null;
  const self = roster?.members.find(({ userId }) => userId === keyring.userId) ?? null;
  // A member without a signed row cannot open the group either.
  if (roster !== null && self === null) throw new CryptoError('roster');
  const version = roster?.gkVersion ?? gkVersion;
  const place = { groupId, version, gkCommit: roster?.gkCommit ?? null };
  const groupKey = await withOwnSecret(keyring, grants, place, async (secret) => {
    if (shown?.content.hasProof === true && !(await isProved(shown.wire, secret, place)))
      throw new CryptoError('roster');
    return lockedWith(keyring, await deriveGroupKey(secret, groupId, version));
  });
  return { groupKey, roster, self };
}

const isProved = (
  { roster_base64: rosterBase64, roster_proof_base64 }: ShownRoster['wire'],
  secret: GroupSecret,
  { groupId, version }: CommittedVersion,
) => isProofOf(roster_proof_base64, secret, { groupId, version, rosterBase64 });

/** `gkCommit`: null if no roster names the version. */
export interface CommittedVersion {
  readonly groupId: string;
  readonly version: number;
  readonly gkCommit: string | null;
}

/**
 * Unwraps the caller's grant, checks it against the commitment, and wipes the secret after `work`.
 * @throws CryptoError `grant` if there is none or it does not match; `base64`, `locked`
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

/** `key` throws `locked` once the keyring is locked. */
export function lockedWith(keyring: Keyring, { groupId, version, key }: GroupKey): GroupKey {
  return {
    groupId,
    version,
    get key() {
      keyring.keys();
      return key;
    },
  };
}
