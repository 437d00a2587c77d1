/**
 * Decides what a client may do with a group (ADR 23). Input is already verified (`shown-group.ts`). Pure;
 * never throws.
 */
import { foldText } from '../search-text.ts';
import type { RosterContent, RosterMember } from '../rosters/roster.ts';
import {
  decidedKeysOf,
  hasLeft,
  highestSeq,
  isCompared,
  isDeleted,
  removedFrom,
  type TrustedGroup,
  type TrustRecord,
} from './trust-record.ts';

/**
 * `remembered`: follows from an accepted list. `alone`: I signed it and am the only member. `signer`:
 * decided key. `within`: members of a confirmed group.
 */
export type ConfirmedBy = 'remembered' | 'alone' | 'signer' | 'within';
/**
 * `left`: a list has left the signer out since. `same-path`: another known group has this path. `gap`: a
 * signer's certificate is gone, and the newest key is undecided.
 */
export type UnconfirmedBecause = 'new' | 'left' | 'same-path' | 'no-proof' | 'gap';
/**
 * `rolled-back`, `forked`, `vanished`: the accepted list is not shown. `signer`: was not an admin. `key`:
 * another key is decided. `returned`: a removed person is listed. `record`: missing or in doubt.
 */
export type DisputedBecause =
  | 'rolled-back'
  | 'forked'
  | 'signer'
  | 'vanished'
  | 'proof'
  | 'key'
  | 'returned'
  | 'record';
export type LockedBecause = 'roster' | 'grant' | 'proof' | 'not-member';

export type GroupTrust =
  /** The only state in which values are sealed and keys are wrapped. */
  | { readonly state: 'confirmed'; readonly how: ConfirmedBy }
  /** Readable; a person has to confirm the list. */
  | { readonly state: 'unconfirmed'; readonly why: UnconfirmedBecause }
  | { readonly state: 'unsigned' }
  /** Contradicts the record: at most readable. */
  | { readonly state: 'disputed'; readonly why: DisputedBecause }
  /** Nothing opens: list or key do not verify, or the reader is not listed. */
  | { readonly state: 'locked'; readonly why: LockedBecause };

export interface ShownList {
  readonly content: RosterContent;
  readonly hash: string;
  /**
   * The signing key and every fingerprint that `sig_prev` connects with it. Null: certificate gone or
   * signature invalid; never for the newest list.
   */
  readonly signedBy: readonly string[] | null;
}

export interface ShownGroup {
  readonly groupId: string;
  readonly path: readonly string[];
  readonly origin: 'client' | 'server';
  /** Ascending, linked by hash. Empty: none is shown. `broken`: the newest does not verify. */
  readonly lists: readonly ShownList[] | 'broken';
  /** The own grant fits the newest commitment. */
  readonly keyFits: boolean;
  /** `wrong` also if the list declares a proof and none is shown. */
  readonly proof: 'right' | 'wrong' | 'none';
}

export interface TrustMemory {
  /** Null: missing or in doubt. */
  readonly record: TrustRecord | null;
  readonly self: { readonly userId: string; readonly fingerprint: string };
  readonly isStrict: boolean;
  /** Newest lists of the groups that are confirmed and open. */
  readonly openLists: readonly RosterContent[];
  /** Admins of accepted lists by hash; the server may hide those lists. */
  readonly admins: ReadonlyMap<string, readonly Pick<RosterMember, 'userId' | 'fingerprint'>[]>;
}

const confirmed = (how: ConfirmedBy): GroupTrust => ({ state: 'confirmed', how });
const unconfirmed = (why: UnconfirmedBecause): GroupTrust => ({ state: 'unconfirmed', why });
const disputed = (why: DisputedBecause): GroupTrust => ({ state: 'disputed', why });
const locked = (why: LockedBecause): GroupTrust => ({ state: 'locked', why });

/** The first rule that applies decides. */
export function judgeGroup(shown: ShownGroup, memory: TrustMemory): GroupTrust {
  const { record, self } = memory;
  const row = record?.groups[shown.groupId];
  const heads = Object.keys(row?.heads ?? {});
  if (shown.lists === 'broken') return locked('roster');
  const newest = shown.lists.at(-1);
  if (newest === undefined) return judgeWithoutList(shown, memory, heads.length > 0);
  if (!newest.content.members.some(({ userId }) => userId === self.userId)) return locked('not-member');
  const succession = successionFault(shown.lists, heads);
  if (succession !== null) return succession;
  if (!shown.keyFits) return locked('grant');
  if (shown.proof === 'wrong') return locked('proof');
  if (record === null) return disputed('record');
  // Two browsers replaced each other's lists: no accepted list is left.
  if (row?.origin === 'client' && heads.length === 0) return disputed('forked');
  if (row === undefined || heads.length === 0) return judgeUnknown(shown, newest, { ...memory, record });
  return judgeKnown(shown, shown.lists, { row, memory: { ...memory, record } });
}

type SoundMemory = TrustMemory & { readonly record: TrustRecord };

function judgeWithoutList(shown: ShownGroup, { record }: TrustMemory, isKnown: boolean): GroupTrust {
  if (isKnown) return disputed('vanished');
  if (shown.origin === 'client' || record?.groups[shown.groupId]?.origin === 'client') return locked('roster');
  return record === null ? disputed('record') : { state: 'unsigned' };
}

/**
 * The version stays or rises by one, has one commitment, and proofs do not end. A fault after an accepted
 * list is disputed, so that a person can accept a later one; any other locks.
 */
function successionFault(lists: readonly ShownList[], heads: readonly string[]): GroupTrust | null {
  for (const [at, { content }] of lists.entries()) {
    const before = lists[at - 1]?.content;
    const fault = before === undefined ? null : stepFault(before, content);
    if (fault === null) continue;
    const isAfterHead = lists.slice(0, at).some(({ hash }) => heads.includes(hash));
    return isAfterHead ? disputed(fault) : locked('roster');
  }
  return null;
}

function stepFault(before: RosterContent, next: RosterContent): 'rolled-back' | 'forked' | 'proof' | null {
  if (next.gkVersion < before.gkVersion) return 'rolled-back';
  if (next.gkVersion > before.gkVersion + 1) return 'forked';
  if (next.gkVersion === before.gkVersion && next.gkCommit !== before.gkCommit) return 'forked';
  return before.hasProof === true && next.hasProof !== true ? 'proof' : null;
}

function judgeKnown(
  shown: ShownGroup,
  lists: readonly ShownList[],
  { row, memory }: { row: TrustedGroup; memory: SoundMemory },
): GroupTrust {
  const base = baseOf(lists, row, memory);
  if (typeof base === 'string') return disputed(base);
  const step = judgeSteps(lists.slice(base), memory);
  if (step !== null) return step;
  const newest = lists.at(-1) as ShownList;
  if (row.proof && shown.proof === 'none') return disputed('proof');
  if (hasReturned(newest, row)) return disputed('returned');
  // Rows of release 1.0 have no path yet.
  const isRenamed = (row.path.length > 0 || row.how !== 'migrated') && foldedPathOf(row) !== foldPath(shown.path);
  if (isRenamed && isTaken(shown, memory)) return unconfirmed('same-path');
  return confirmed('remembered');
}

/** Index of the highest head, or of the last list that supersedes one. A reason if a head is missing. */
function baseOf(
  lists: readonly ShownList[],
  row: TrustedGroup,
  memory: SoundMemory,
): number | 'rolled-back' | 'forked' {
  let base = 0;
  const newestSeq = lists.at(-1)?.content.seq ?? -1;
  for (const [hash, [seq]] of Object.entries(row.heads)) {
    const at = lists.findIndex((list) => list.hash === hash);
    const found = at >= 0 ? at : supersedingIndex(lists, { hash, row }, memory);
    if (found < 0) return newestSeq < seq ? 'rolled-back' : 'forked';
    base = Math.max(base, found);
  }
  return base;
}

/**
 * Index of a list that supersedes the head, or -1. Its signer was admin in the head's list, or has a compared
 * key and was not left out. A lower version than the row's needs a rotation, because a former member may hold
 * it.
 */
function supersedingIndex(
  lists: readonly ShownList[],
  { hash, row }: { hash: string; row: TrustedGroup },
  memory: SoundMemory,
): number {
  const admins = memory.admins.get(hash) ?? [];
  return lists.findIndex(({ content, signedBy }, at) => {
    if (signedBy === null || content.supersedes?.includes(hash) !== true) return false;
    const [key = ''] = signedBy;
    const wasAdmin = admins.some(({ userId, fingerprint }) => userId === content.signer && fingerprint === key);
    const isVouched = isCertain(content.signer, key, memory) && !hasSignerLeft({ content, signedBy }, memory);
    if (!wasAdmin && !isVouched) return false;
    return content.gkVersion >= row.v || hasRotation(lists, at);
  });
}

const hasRotation = (lists: readonly ShownList[], from: number): boolean =>
  lists.some(({ content }, at) => at >= from && at > 0 && content.gkVersion > (lists[at - 1]?.content.gkVersion ?? 0));

/** Null if each signer was an admin in the list before, or the newest signer in the first. */
function judgeSteps(lists: readonly ShownList[], memory: SoundMemory): GroupTrust | null {
  const [base] = lists;
  const newest = lists.at(-1);
  if (base === undefined || newest === undefined || newest === base) return null;
  if (wasAdmin(base, newest, memory)) return null;
  let isOneGone = false;
  for (const [at, list] of lists.entries()) {
    const before = lists[at - 1];
    if (before === undefined) continue;
    if (list.signedBy === null) isOneGone = true;
    else if (!wasAdmin(before, list, memory)) return disputed('signer');
  }
  // Deleted accounts have no certificate; then the newest key must be decided.
  if (!isOneGone) return null;
  if (signerKey(newest, memory) !== 'decided') return unconfirmed('gap');
  return hasSignerLeft(newest, memory) ? unconfirmed('left') : null;
}

function wasAdmin({ content }: ShownList, { content: { signer }, signedBy }: ShownList, memory: SoundMemory): boolean {
  const member = content.members.find(({ userId }) => userId === signer);
  if (signedBy === null || member?.role !== 'admin') return false;
  return signedBy.includes(member.fingerprint) || isCertain(signer, signedBy[0] ?? '', memory);
}

/** The own present key, or a compared one. */
const isCertain = (userId: string, fingerprint: string, { record, self }: SoundMemory): boolean =>
  userId === self.userId ? fingerprint === self.fingerprint : isCompared(record, userId, fingerprint);

const hasReturned = ({ content: { seq, members } }: ShownList, row: TrustedGroup): boolean =>
  removedFrom(row).some((userId) => {
    const [, , seqThen] = row.out[userId] ?? [0, true, highestSeq(row)];
    return seq > seqThen && members.some((member) => member.userId === userId);
  });

function judgeUnknown(shown: ShownGroup, newest: ShownList, memory: SoundMemory): GroupTrust {
  const { self } = memory;
  const { members, signer } = newest.content;
  const [key = ''] = newest.signedBy ?? [];
  const known = signerKey(newest, memory);
  if (known === 'other') return disputed('key');
  const isOwn = signer === self.userId && key === self.fingerprint;
  if (isOwn && members.every(({ userId }) => userId === self.userId)) return confirmed('alone');
  const isProved = shown.proof === 'right';
  const isPathTaken = isTaken(shown, memory);
  if (isProved && !isPathTaken && isWithin(newest, memory)) return confirmed('within');
  if (known !== 'decided') return unconfirmed('new');
  if (hasSignerLeft(newest, memory)) return unconfirmed('left');
  if (isPathTaken) return unconfirmed('same-path');
  return isProved ? confirmed('signer') : unconfirmed('no-proof');
}

/** `decided` means compared if `isStrict`. `other`: different keys are decided. */
function signerKey({ content: { signer }, signedBy }: ShownList, memory: SoundMemory): 'decided' | 'unknown' | 'other' {
  const { record, self, isStrict } = memory;
  const keys = signedBy ?? [];
  if (signer === self.userId) {
    const isOwn = keys.includes(self.fingerprint) || record.own.some((former) => keys.includes(former));
    return isOwn ? 'decided' : 'other';
  }
  const decided = decidedKeysOf(record, signer);
  if (decided.length === 0) return 'unknown';
  if (!decided.every((fingerprint) => keys.includes(fingerprint))) return 'other';
  return !isStrict || decided.some((fingerprint) => isCompared(record, signer, fingerprint)) ? 'decided' : 'unknown';
}

/**
 * True if accepted lists dropped the signer after the key was decided, and no open confirmed list has the
 * signer under that key.
 */
function hasSignerLeft(
  { content: { signer }, signedBy }: Pick<ShownList, 'content' | 'signedBy'>,
  { record, self, openLists }: SoundMemory,
): boolean {
  // Own lists are judged by the own keys alone.
  if (signer === self.userId) return false;
  const keys = signedBy ?? [];
  const isMemberElsewhere = openLists.some(({ members }) =>
    members.some(({ userId, fingerprint }) => userId === signer && keys.includes(fingerprint)),
  );
  return (
    !isMemberElsewhere && decidedKeysOf(record, signer).every((fingerprint) => hasLeft(record, signer, fingerprint))
  );
}

/** An open confirmed list names the signer as admin and all members, under the same keys. */
function isWithin(
  { content: { members, signer }, signedBy }: ShownList,
  { openLists, isStrict, record, self }: SoundMemory,
) {
  const [key = ''] = signedBy ?? [];
  if (
    isStrict &&
    !members.every((one) => one.userId === self.userId || isCompared(record, one.userId, one.fingerprint))
  )
    return false;
  return openLists.some((list) => {
    const known = new Map(list.members.map((member) => [member.userId, member]));
    const admin = known.get(signer);
    const isAdmin = admin?.role === 'admin' && admin.fingerprint === key;
    return isAdmin && members.every(({ userId, fingerprint }) => known.get(userId)?.fingerprint === fingerprint);
  });
}

const isTaken = (shown: ShownGroup, { record }: SoundMemory): boolean => groupAtSamePath(record, shown) !== null;

export const isPathTaken = (shown: Pick<ShownGroup, 'groupId' | 'path'>, record: TrustRecord): boolean =>
  groupAtSamePath(record, shown) !== null;

/** Id of another living group of the record with this path, ignoring case and spaces. */
export function groupAtSamePath(
  record: TrustRecord,
  { groupId, path }: Pick<ShownGroup, 'groupId' | 'path'>,
): string | null {
  if (path.length === 0) return null;
  const folded = foldPath(path);
  for (const [otherId, row] of Object.entries(record.groups)) {
    if (otherId !== groupId && !isDeleted(row) && foldedPathOf(row) === folded) return otherId;
  }
  return null;
}

const foldPath = (path: readonly string[]) => JSON.stringify(path.map(foldText));

/** Rows are immutable, so the folded path is cached. */
const foldedPaths = new WeakMap<TrustedGroup, string>();
function foldedPathOf(row: TrustedGroup): string {
  const known = foldedPaths.get(row) ?? foldPath(row.path);
  foldedPaths.set(row, known);
  return known;
}
