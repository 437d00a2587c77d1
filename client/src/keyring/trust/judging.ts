/** Judges held groups when the record changes, and records lists that a rule confirmed (ADR 23). */
import type { RosterContent } from '@passwordbroker/core/domain/rosters/roster';
import { originOf } from '@passwordbroker/core/domain/rosters/accepted-rosters';
import {
  type ConfirmedBy,
  judgeGroup,
  type ShownList,
  type TrustMemory,
} from '@passwordbroker/core/domain/trust/judge-group';
import {
  type AcceptedList,
  isDeleted,
  type RowReason,
  type TrustRecord,
  withAcceptedList,
  withLeft,
} from '@passwordbroker/core/domain/trust/trust-record';
import { type HeldGroup, newestOf, type OpenSession } from '../open-session.ts';
import { trustError } from '../keyring-error.ts';
import type { AcceptedAdmins } from './trust-book.ts';

type Session = Pick<OpenSession, 'keyring' | 'book' | 'groups'>;

export function memoryOf({ keyring, book, groups }: Session, groupId: string): TrustMemory {
  const accepted = book.adminsOf(groupId);
  return {
    record: book.record(),
    self: { userId: keyring.userId, fingerprint: keyring.fingerprint },
    isStrict: book.isStrict(),
    // Lazy: there may be thousands of groups.
    get openLists() {
      return openListsBeside(groups, groupId);
    },
    admins: new Map(accepted === null ? [] : [[accepted.hash, accepted.admins]]),
  };
}

function openListsBeside(groups: OpenSession['groups'], without: string): readonly RosterContent[] {
  const lists: RosterContent[] = [];
  for (const [groupId, group] of groups) {
    const newest = newestOf(group);
    if (groupId !== without && group.trust.state === 'confirmed' && newest !== null) lists.push(newest.content);
  }
  return lists;
}

/** Also accepts the newest list if a rule confirmed it. */
export function holdGroup(session: OpenSession, group: HeldGroup): void {
  keepKnownMembers(session, group);
  session.groups.set(group.groupId, group);
  if (group.trust.state === 'confirmed') recordConfirmedList(session, group, group.trust.how);
}

/**
 * Call after a change of the record.
 * @returns `changed`: groups with a new judgement; `stale`: groups to open again, for other keys or lists
 */
export function judgeAgain(session: OpenSession): {
  readonly changed: readonly HeldGroup[];
  readonly stale: readonly string[];
} {
  const { groups } = session;
  const changed = new Map<string, HeldGroup>();
  const stale = new Set<string>();
  // A group that becomes confirmed may vouch for others.
  for (let isOver = false; !isOver;) {
    isOver = true;
    for (const [groupId, group] of groups) {
      const trust = judgeGroup(group.shown, memoryOf(session, groupId));
      if (JSON.stringify(trust) === JSON.stringify(group.trust)) continue;
      if (onlyMissesEarlierLists(session, group)) {
        // Only the next opening can show whether this list leads to the held one.
        stale.add(groupId);
        continue;
      }
      if (trust.state === group.trust.state && trust.state === 'confirmed') {
        groups.set(groupId, { ...group, trust });
        continue;
      }
      isOver = false;
      if (needsOtherKeys(group, trust.state)) {
        groups.delete(groupId);
        changed.delete(groupId);
        stale.add(groupId);
        continue;
      }
      const next = { ...group, trust };
      holdGroup(session, next);
      changed.set(groupId, next);
    }
  }
  return { changed: [...changed.values()], stale: [...stale] };
}

/** Another browser accepted a list older than those held here; nothing else changes. */
function onlyMissesEarlierLists(session: Session, group: HeldGroup): boolean {
  const { groupId, shown, trust } = group;
  const memory = memoryOf(session, groupId);
  const row = memory.record?.groups[groupId];
  const [first] = shown.lists === 'broken' ? [] : shown.lists;
  if (memory.record === null || row === undefined || first === undefined || !isOpen(trust.state)) return false;
  const later = Object.entries(row.heads).filter(([, [seq]]) => seq >= first.content.seq);
  if (later.length === 0 || later.length === Object.keys(row.heads).length) return false;
  const groups = { ...memory.record.groups, [groupId]: { ...row, heads: Object.fromEntries(later) } };
  const without = judgeGroup(shown, { ...memory, record: { ...memory.record, groups } });
  return JSON.stringify(without) === JSON.stringify(trust);
}

const isOpen = (state: HeldGroup['trust']['state']) => state === 'confirmed' || state === 'unconfirmed';

const needsOtherKeys = ({ trust }: HeldGroup, next: HeldGroup['trust']['state']): boolean =>
  !(isOpen(trust.state) && isOpen(next));

/** Operations that the person did not start wrap keys only for members accepted before this unlock. */
function keepKnownMembers({ book, known }: OpenSession, { groupId, linked }: HeldGroup): void {
  if (known.has(groupId)) return;
  const heads = Object.keys(book.before()?.groups[groupId]?.heads ?? {});
  const accepted = linked.findLast(({ hash }) => heads.includes(hash));
  if (accepted !== undefined && heads.length === 1) known.set(groupId, memberSet(accepted.content));
}

export const memberName = ({ userId, fingerprint }: { readonly userId: string; readonly fingerprint: string }) =>
  `${userId} ${fingerprint}`;

export const memberSet = ({ members }: Pick<RosterContent, 'members'>): ReadonlySet<string> =>
  new Set(members.map(memberName));

/**
 * Guards operations that the person did not start. @throws KeyringError 'unasked' unless this browser
 * accepted all present members before this unlock
 */
export function requireKnownBefore({ known, book }: OpenSession, { groupId, trust, shown }: HeldGroup): void {
  const names = known.get(groupId);
  const newest = newestOf({ shown });
  const isRemembered = trust.state === 'confirmed' && book.before() !== null && newest !== null;
  if (names === undefined || !isRemembered) throw trustError('unasked');
  if (newest.content.members.some((member) => !names.has(memberName(member)))) throw trustError('unasked');
}

interface Accepting {
  readonly list: AcceptedList;
  readonly change: (record: TrustRecord, now: number) => TrustRecord;
  readonly admins: AcceptedAdmins;
}

/** Null: no list is shown. */
export function accepting(
  session: Pick<OpenSession, 'keyring' | 'book'>,
  group: Pick<HeldGroup, 'groupId' | 'shown'>,
  how: RowReason,
): Accepting | null {
  const { groupId, shown } = group;
  if (shown.lists === 'broken') return null;
  const newest = shown.lists.at(-1);
  if (newest === undefined) return null;
  const { keyring, book } = session;
  const { content, hash } = newest;
  const row = book.record()?.groups[groupId];
  const list: AcceptedList = {
    groupId,
    hash,
    seq: content.seq,
    gkVersion: content.gkVersion,
    role: content.members.find(({ userId }) => userId === keyring.userId)?.role ?? null,
    hasProof: shown.proof === 'right',
    path: shown.path.length === 0 ? (row?.path ?? []) : shown.path,
    // Only the first list shows that the server made the group. Unknown counts as `client`, which is
    // stricter.
    origin: originOf(shown.lists[0]?.content ?? content) ?? 'client',
    how,
  };
  const gone = leftBetween(shown.lists, Object.keys(row?.heads ?? {}));
  const admins = content.members.filter(({ role }) => role === 'admin');
  return {
    list,
    change: (record, now) => withAcceptedList(withLeft(record, gone, now), list, now),
    admins: { groupId, hash, admins },
  };
}

function recordConfirmedList(session: OpenSession, group: HeldGroup, how: ConfirmedBy): void {
  const { book } = session;
  const newest = newestOf(group);
  const row = book.record()?.groups[group.groupId];
  const heads = Object.keys(row?.heads ?? {});
  const isThere = heads.length === 1 && heads[0] === newest?.hash && row !== undefined;
  const isSamePath = group.shown.path.length === 0 || JSON.stringify(row?.path) === JSON.stringify(group.shown.path);
  const isKnown =
    isThere && !isDeleted(row) && isSamePath && isProofKept(row.proof, group) && row.v === newest?.content.gkVersion;
  if (isKnown && book.adminsOf(group.groupId)?.hash === heads[0]) return;
  const accepted = accepting(session, group, how === 'remembered' ? (row?.how ?? 'signer') : how);
  if (accepted === null) return;
  // Already recorded: only its admins are added.
  book.accept(isKnown ? (record) => record : accepted.change, accepted.admins);
}

const isProofKept = (isKept: boolean, { shown }: HeldGroup) => isKept || shown.proof !== 'right';

function leftBetween(lists: readonly ShownList[], heads: readonly string[]): readonly string[] {
  const from = lists.findIndex(({ hash }) => heads.includes(hash));
  if (from < 0) return [];
  const newest = new Set(lists.at(-1)?.content.members.map(({ userId }) => userId));
  const named = lists.slice(from).flatMap(({ content }) => content.members.map(({ userId }) => userId));
  return [...new Set(named)].filter((userId) => !newest.has(userId));
}
