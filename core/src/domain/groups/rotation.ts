/** Rotates a group's key (docs/spec/crypto.md §12). */
import { encodeHex } from '../../crypto/bytes.ts';
import { CryptoError } from '../../crypto/errors.ts';
import type { FieldType } from '../fields/field-kinds.ts';
import { rewrapField } from '../fields/field.ts';
import { commitmentOf, deriveGroupKey, type GroupKey } from './grants.ts';
import {
  type GrantWire,
  type NewGroupKeyWire,
  type SignedMember,
  createKeyVersion,
  lockedWith,
  withOwnSecret,
} from './group-keys.ts';
import type { Keyring } from '../keyring/keyring.ts';
import { type SharedGroup, presentVersionOf, requireAdmin } from './member-change.ts';
import type { KeyCommitment, KeyCommitments, ShownProof } from '../rosters/roster-chain.ts';
import { isProofOf } from '../rosters/roster.ts';

export interface RotationWire extends NewGroupKeyWire {
  readonly base_gk_version: number;
  readonly gk_version: number;
}

/**
 * First phase: the next secret, a grant for each member and the next roster. A first roster (seq 0) contains
 * the commitments of older versions.
 * @param members from `continueMembers` (none unsure), or confirmed by a person; the caller as admin
 * @throws CryptoError `roster` if the signer is not an admin; `grant`, `locked`
 */
export async function startRotation(
  keyring: Keyring,
  group: SharedGroup,
  {
    members,
    now,
    supersedes,
  }: { members: readonly SignedMember[]; now: number; supersedes?: readonly string[] | undefined },
): Promise<{ groupKey: GroupKey; wire: RotationWire }> {
  requireAdmin(keyring, members);
  const { groupId, roster, grants } = group;
  const present = presentVersionOf(group);
  const base = present.version;
  const made =
    roster === null
      ? await createKeyVersion(
          keyring,
          { groupId, version: base + 1, seq: 0, prev: '', ...(await unsignedVersions(keyring, group)) },
          { members, now },
        )
      : await withOwnSecret(keyring, grants, present, (former) => {
          const marks = supersedes === undefined ? {} : { supersedes };
          const place = { groupId, version: base + 1, seq: roster.content.seq + 1, prev: roster.hash, ...marks };
          return createKeyVersion(keyring, place, { members, now, former });
        });
  return { groupKey: made.groupKey, wire: { base_gk_version: base, gk_version: base + 1, ...made.wire } };
}

/** As far as the caller's grants open. */
async function unsignedVersions(
  keyring: Keyring,
  { groupId, grants, gkVersion }: SharedGroup,
): Promise<{ older?: ReadonlyMap<number, string> }> {
  const older = new Map<number, string>();
  const own = grants.filter((grant) => grant.user_id === keyring.userId && isVersion(grant.gk_version));
  const versions = own.map((grant) => grant.gk_version).filter((version) => version <= gkVersion);
  for (const version of [...new Set(versions)].sort((a, b) => a - b)) {
    const commit = await ifNotDamaged(
      withOwnSecret(keyring, grants, { groupId, version, gkCommit: null }, (secret) =>
        commitmentOf(secret, groupId, version),
      ),
    );
    if (commit !== null) older.set(version, encodeHex(commit));
  }
  return older.size === 0 ? {} : { older };
}

const isVersion = (version: number) => Number.isSafeInteger(version) && version >= 1;

/** Null if the server's data is damaged. @throws CryptoError `locked` */
async function ifNotDamaged<T>(opening: Promise<T>): Promise<T | null> {
  try {
    return await opening;
  } catch (error) {
    if (error instanceof CryptoError && error.code !== 'locked') return null;
    throw error;
  }
}

export interface PendingWrap {
  readonly entry_id: string;
  readonly field_id: string;
  readonly type: FieldType;
  readonly rev: number;
  readonly gk_version: number;
  readonly cek_wrapped_base64: string;
}

export interface RewrapWire {
  readonly field_id: string;
  readonly rev: number;
  readonly from_gk_version: number;
  readonly cek_wrapped: string;
}

export const ROTATION_BATCH = 500;
const PORTION = 100;

/**
 * Second phase: wraps one batch of content keys for the new version; repeatable. `skipped` rows cannot be
 * opened.
 * @throws RangeError for more than 500 rows; CryptoError `locked`
 */
export async function rewrapRows(
  rows: readonly PendingWrap[],
  olderKeys: ReadonlyMap<number, GroupKey>,
  newKey: GroupKey,
): Promise<{ readonly rewraps: readonly RewrapWire[]; readonly skipped: readonly PendingWrap[] }> {
  if (rows.length > ROTATION_BATCH) throw new RangeError(`A batch has at most ${ROTATION_BATCH} revisions`);
  const rewraps: RewrapWire[] = [];
  const skipped: PendingWrap[] = [];
  for (let at = 0; at < rows.length; at += PORTION) {
    const portion = rows.slice(at, at + PORTION);
    const done = await Promise.all(portion.map((row) => rewrapOne(row, olderKeys.get(row.gk_version), newKey)));
    for (const [index, row] of portion.entries()) {
      const rewrap = done[index] ?? null;
      if (rewrap === null) skipped.push(row);
      else rewraps.push(rewrap);
    }
  }
  return { rewraps, skipped };
}

async function rewrapOne(row: PendingWrap, from: GroupKey | undefined, to: GroupKey): Promise<RewrapWire | null> {
  if (from === undefined) return null;
  const { entry_id: entryId, field_id, type, rev, gk_version: from_gk_version } = row;
  const place = { entryGroupId: from.groupId, entryId, fieldId: field_id, type, rev };
  const cek_wrapped = await ifNotDamaged(rewrapField(from, to, place, row.cek_wrapped_base64));
  return cek_wrapped === null ? null : { field_id, rev, from_gk_version, cek_wrapped };
}

export interface GroupVersions {
  readonly keys: ReadonlyMap<number, GroupKey>;
  /** Contradict the rosters, or no roster names them. */
  readonly locked: readonly number[];
  /** Opened without a commitment: readable, rewrapped only at a person's request. */
  readonly uncommitted: readonly number[];
  /** The change to a version lacks a valid proof of the previous secret: lock the group. */
  readonly isProofBroken: boolean;
}

/**
 * Opens the caller's grants against the commitments and key proofs of their versions.
 * @param commitments null without a roster: only the current version opens. @throws CryptoError `locked`
 */
export async function openGroupVersions(
  keyring: Keyring,
  { groupId, grants, gkVersion }: { groupId: string; grants: readonly GrantWire[]; gkVersion: number },
  commitments: KeyCommitments | null,
): Promise<GroupVersions> {
  const own = grants.filter(({ user_id }) => user_id === keyring.userId);
  const keys = new Map<number, GroupKey>();
  const locked: number[] = [];
  const uncommitted: number[] = [];
  let isProofBroken = false;
  for (const version of new Set(own.map(({ gk_version }) => gk_version))) {
    const commitment = commitments?.byVersion.get(version) ?? null;
    const isUncommitted = commitment === null && isUncommittedVersion(version, gkVersion, commitments);
    const isTried = isVersion(version) && (commitment !== null || isUncommitted);
    const opened = isTried ? await ifNotDamaged(openVersion(keyring, grants, { groupId, version }, commitment)) : null;
    isProofBroken ||= opened === 'next';
    if (opened === null || typeof opened === 'string') locked.push(version);
    else {
      keys.set(version, opened);
      if (isUncommitted) uncommitted.push(version);
    }
  }
  return { keys, locked, uncommitted, isProofBroken };
}

const isUncommittedVersion = (version: number, gkVersion: number, commitments: KeyCommitments | null): boolean =>
  commitments === null ? version === gkVersion : version < commitments.uncommittedBelow;

/** The key, or the wrong proof: 'own' of this version, 'next' of the change to the next one. */
function openVersion(
  keyring: Keyring,
  grants: readonly GrantWire[],
  place: { readonly groupId: string; readonly version: number },
  commitment: KeyCommitment | null,
): Promise<GroupKey | 'own' | 'next'> {
  const { groupId, version } = place;
  return withOwnSecret(keyring, grants, { ...place, gkCommit: commitment?.gkCommit ?? null }, async (secret) => {
    const isRight = ({ rosterBase64, proofBase64 }: ShownProof) =>
      isProofOf(proofBase64, secret, { ...place, rosterBase64 });
    const proofs = await Promise.all(commitment?.proofs.map(isRight) ?? []);
    if (proofs.length > 0 && !proofs.includes(true)) return 'own';
    const next = commitment?.nextProof ?? null;
    if (next !== null && !(await isRight(next))) return 'next';
    return lockedWith(keyring, await deriveGroupKey(secret, groupId, version));
  });
}
