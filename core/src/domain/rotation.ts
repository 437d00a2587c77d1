/** Rotating a group's key (`crypto.md` §12): a new secret for exactly the members of the next roster, then every older wrap anew. */
import { CryptoError } from '../crypto/errors.ts';
import type { FieldType } from './field-kinds.ts';
import { rewrapField } from './field.ts';
import type { GroupKey } from './grants.ts';
import {
  type GrantWire,
  type NewGroupKeyWire,
  type SignedMember,
  createKeyVersion,
  openOwnGrant,
} from './group-keys.ts';
import type { Keyring } from './keyring.ts';
import { type SharedGroup, requireAdmin } from './member-change.ts';
import type { KeyCommitments } from './roster-succession.ts';

/** What the first phase sends. */
export interface RotationWire extends NewGroupKeyWire {
  readonly base_gk_version: number;
  readonly gk_version: number;
}

/**
 * The first phase: the next version's secret, a grant for each member, and the next roster. In a group that the server made it is the first
 * roster, seq 0, and its list of members has to be confirmed by a person before.
 * @param members those of `continueMembers` (none unsure), or the confirmed list; oneself among them as admin
 * @param now milliseconds
 * @throws CryptoError `roster` when the signer would be no admin in it; `locked`
 */
export async function startRotation(
  keyring: Keyring,
  group: SharedGroup,
  { members, now }: { members: readonly SignedMember[]; now: number },
): Promise<{ groupKey: GroupKey; wire: RotationWire }> {
  requireAdmin(keyring, members);
  const { groupId, roster } = group;
  const base = roster?.content.gkVersion ?? group.gkVersion;
  const next = roster === null ? { seq: 0, prev: '' } : { seq: roster.content.seq + 1, prev: roster.hash };
  const place = { groupId, version: base + 1, ...next };
  const { groupKey, wire } = await createKeyVersion(keyring, place, { members, now });
  return { groupKey, wire: { base_gk_version: base, gk_version: base + 1, ...wire } };
}

/** A revision that is still under an older version, as the server lists it. */
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

/** Most revisions that one batch of the second phase carries. */
export const ROTATION_BATCH = 500;
/** Wraps under way at once. */
const PORTION = 100;

/**
 * The second phase, one batch: each content key wrapped for the new version. A wrap that does not open, or whose version has no key, is skipped
 * and named; it may be tried again, or the rotation ended without it. Running a batch again does no harm.
 * @param olderKeys by version, of `openGroupVersions`
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
  try {
    return { field_id, rev, from_gk_version, cek_wrapped: await rewrapField(from, to, place, row.cek_wrapped_base64) };
  } catch (error) {
    // A locked keyring is no damage of this row.
    if (error instanceof CryptoError && error.code !== 'locked') return null;
    throw error;
  }
}

/** The keys of a group's older versions, and the versions whose grant is not the one that the rosters commit to. */
export interface GroupVersions {
  readonly keys: ReadonlyMap<number, GroupKey>;
  readonly locked: readonly number[];
}

/**
 * Opens every own grant against the commitment of its version. Versions older than the group's first roster have none: they are opened, and never
 * sealed under.
 * @param commitments of `commitmentsOf`; null for a group that has no roster
 * @throws CryptoError `locked`
 */
export async function openGroupVersions(
  keyring: Keyring,
  { groupId, grants }: { groupId: string; grants: readonly GrantWire[] },
  commitments: KeyCommitments | null,
): Promise<GroupVersions> {
  const own = grants.filter(({ user_id }) => user_id === keyring.userId);
  const keys = new Map<number, GroupKey>();
  const locked: number[] = [];
  for (const version of new Set(own.map(({ gk_version }) => gk_version))) {
    const key = await openVersion(keyring, grants, { groupId, version }, commitments);
    if (key === null) locked.push(version);
    else keys.set(version, key);
  }
  return { keys, locked };
}

async function openVersion(
  keyring: Keyring,
  grants: readonly GrantWire[],
  { groupId, version }: { groupId: string; version: number },
  commitments: KeyCommitments | null,
): Promise<GroupKey | null> {
  const gkCommit = commitments?.byVersion.get(version) ?? null;
  const isUnsigned = commitments === null || version < commitments.firstSigned;
  if (gkCommit === null && !isUnsigned) return null;
  try {
    return await openOwnGrant(keyring, grants, { groupId, version, gkCommit });
  } catch (error) {
    if (error instanceof CryptoError && error.code !== 'locked') return null;
    throw error;
  }
}
