/**
 * Judges groups as the caller's client would (ADR 24). Refuses what the client would ask, except an unknown
 * group with a right key proof.
 */
import { AppError } from '@passwordbroker/core/contract/problem';
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import { followCertificates, type Follow, type CertificateWire } from '@passwordbroker/core/domain/keyring/certificate';
import type { GroupKey } from '@passwordbroker/core/domain/groups/grants';
import type { Keyring } from '@passwordbroker/core/domain/keyring/keyring';
import type { SharedGroup } from '@passwordbroker/core/domain/groups/member-change';
import { hashRoster, readRoster, type RosterContent } from '@passwordbroker/core/domain/rosters/roster';
import {
  type GroupTrust,
  isPathTaken,
  judgeGroup,
  type ShownGroup,
  type ShownList,
} from '@passwordbroker/core/domain/trust/judge-group';
import { readGroup, type CertifiedRoster } from '@passwordbroker/core/domain/trust/shown-group';
import {
  type RowReason,
  type TrustRecord,
  withAcceptedList,
  withDecidedKey,
  withLeft,
  withListInstead,
  withServerGroup,
} from '@passwordbroker/core/domain/trust/trust-record';
import type { Deps } from '../../http/context.ts';
import type { CallerTrust } from './caller-trust.ts';
import { findName, type GroupToJudge, listNewestLists, readGroupRows } from './judging-repository.ts';

export interface TrustingCaller {
  readonly deps: Deps;
  readonly keyring: Keyring;
  readonly trust: CallerTrust;
}

export interface JudgedGroup {
  readonly groupId: string;
  readonly trust: GroupTrust;
  readonly shown: ShownGroup;
  readonly rows: GroupToJudge;
  /** Null if no list verifies. */
  readonly newest: ShownList | null;
  /** Null if it does not open or does not fit the list. */
  readonly groupKey: GroupKey | null;
}

/** The trust record has its list, or that it has none. */
export interface AcceptedGroup extends JudgedGroup {
  readonly groupKey: GroupKey;
  readonly shared: SharedGroup;
}

/** Does not change the record. @throws AppError `trust_record_missing`, `not_found` */
export async function judge(caller: TrustingCaller, groupId: string): Promise<JudgedGroup> {
  const { deps, keyring, trust } = caller;
  const record = await trust.record();
  const rows = await readRows(deps, keyring, { groupId, record });
  const follow = rememberingFollow();
  const { path, answer, certificates } = rows;
  const { shown, groupKey } = await readGroup(keyring, { groupId, path, answer, certificates, follow });
  const lists = shown.lists === 'broken' ? [] : shown.lists;
  const judged = { groupId, shown, rows, groupKey, newest: lists.at(-1) ?? null };
  const memory = { record, self: keyring, isStrict: trust.isStrict(), admins: new Map(), openLists: [] };
  const state = judgeGroup(shown, memory);
  if (state.state !== 'unconfirmed') return { ...judged, trust: state };
  const openLists = await listAccepted(deps, keyring, record);
  return { ...judged, trust: judgeGroup(shown, { ...memory, openLists }) };
}

/** From the record's lowest head; all if that head is missing. */
async function readRows(
  { db }: Deps,
  { userId }: Keyring,
  { groupId, record }: { groupId: string; record: TrustRecord },
): Promise<GroupToJudge> {
  const heads = Object.entries(record.groups[groupId]?.heads ?? {});
  const lowest = heads.toSorted(([, [a]], [, [b]]) => a - b)[0];
  if (lowest === undefined) return readGroupRows(db, { groupId, userId, from: null });
  const [hash, [from]] = lowest;
  const rows = await readGroupRows(db, { groupId, userId, from });
  const first = rows.answer.rosters[0];
  const isThere = first !== undefined && (await hashOf(first)) === hash;
  return isThere ? rows : readGroupRows(db, { groupId, userId, from: 0 });
}

const hashOf = ({ roster_base64 }: CertifiedRoster) => hashRoster(new Uint8Array(Buffer.from(roster_base64, 'base64')));

function rememberingFollow(): Follow {
  const known = new Map<CertificateWire | null, ReturnType<Follow>>();
  return (certificate, former) => {
    const chain = known.get(certificate) ?? followCertificates(certificate, former);
    known.set(certificate, chain);
    return chain;
  };
}

/** Accepted by hash, so signatures are not verified again. */
async function listAccepted({ db }: Deps, { userId }: Keyring, record: TrustRecord): Promise<readonly RosterContent[]> {
  const accepted: RosterContent[] = [];
  for (const { entry_group_id, bytes } of await listNewestLists(db, userId)) {
    const heads = record.groups[entry_group_id]?.heads ?? {};
    if (bytes === null || Object.keys(heads).length !== 1) continue;
    const list = new Uint8Array(bytes);
    if (heads[await hashRoster(list)] !== undefined) accepted.push(readRoster(list));
  }
  return accepted;
}

/**
 * Opens a group for sealing and wrapping, and accepts its newest list.
 * @param mayBeNew false if the request did not name this group: the record must know it
 * @throws AppError `group_disputed`, `key_changed`, `member_unverified`, `trust_record_missing`,
 * `key_version_conflict`; CryptoError `grant`, `roster`
 */
export async function openAccepted(
  caller: TrustingCaller,
  groupId: string,
  { mayBeNew = true }: { readonly mayBeNew?: boolean } = {},
): Promise<AcceptedGroup> {
  const judged = await judge(caller, groupId);
  const { trust, newest, groupKey, rows } = judged;
  if (trust.state === 'locked') throw new CryptoError(trust.why === 'grant' ? 'grant' : 'roster');
  if (trust.state === 'disputed') throw disputed(trust.why, newest);
  const { gk_version, grants } = rows.answer;
  if (newest !== null && newest.content.gkVersion !== gk_version) {
    throw new AppError('key_version_conflict', { details: { current_gk_version: gk_version } });
  }
  if (groupKey === null) throw new CryptoError('grant');
  const isKnown = (await caller.trust.record()).groups[groupId] !== undefined;
  if (!isKnown && !mayBeNew) throw new AppError('group_disputed', { details: { why: 'new' } });
  if (trust.state === 'unsigned') acceptServerGroup(caller, judged);
  else if (newest === null) throw new CryptoError('roster');
  else if (trust.state === 'confirmed') acceptList(caller, judged, trust.how === 'remembered' ? null : trust.how);
  else await acceptFirst(caller, judged, trust.why);
  return { ...judged, groupKey, shared: { groupId, roster: newest, gkVersion: gk_version, grants } };
}

function disputed(why: (GroupTrust & { state: 'disputed' })['why'], newest: ShownList | null): AppError {
  if (why !== 'key' || newest === null) return new AppError('group_disputed', { details: { why } });
  return new AppError('key_changed', { details: { user_ids: [newest.content.signer] } });
}

function acceptServerGroup({ keyring, trust }: TrustingCaller, { groupId, rows, shown }: JudgedGroup): void {
  const { gk_version: gkVersion, grants } = rows.answer;
  const role = grants.find(({ user_id }) => user_id === keyring.userId)?.role ?? null;
  trust.change((record, now) => withServerGroup(record, { groupId, gkVersion, role, path: shown.path }, now));
}

/** @param how null keeps the reason of the group's row */
function acceptList(caller: TrustingCaller, judged: JudgedGroup, how: RowReason | null): void {
  const { groupId, shown, newest } = judged;
  if (newest === null) return;
  caller.trust.change((record, now) => {
    const row = record.groups[groupId];
    const isSame = row !== undefined && Object.keys(row.heads).join() === newest.hash && isSamePath(row, shown);
    if (isSame) return record;
    const list = { ...factsOf(caller, judged, newest), how: how ?? row?.how ?? 'api' } as const;
    return withLeft(withAcceptedList(record, list, now), leftSince(shown, row?.heads ?? {}, newest.content), now);
  });
}

const isSamePath = (a: { readonly path: readonly string[] }, b: { readonly path: readonly string[] }) =>
  a.path.length === b.path.length && a.path.every((name, at) => name === b.path[at]);

/**
 * Accepts a list that this request signed, in the same transaction. @param group the group that it continues,
 * or a new one
 */
export async function acceptOwnList(
  caller: TrustingCaller,
  group: AcceptedGroup | { readonly groupId: string; readonly path: readonly string[] },
  rosterBase64: string,
): Promise<void> {
  const { keyring, trust } = caller;
  await trust.record();
  const bytes = new Uint8Array(Buffer.from(rosterBase64, 'base64'));
  const content = readRoster(bytes);
  const { groupId } = group;
  const [before, path] = 'shown' in group ? [group.newest, group.shown.path] : [null, group.path];
  const present = new Set(content.members.map(({ userId }) => userId));
  const left = (before?.content.members ?? []).map(({ userId }) => userId).filter((userId) => !present.has(userId));
  const role = content.members.find(({ userId }) => userId === keyring.userId)?.role ?? null;
  const { seq, gkVersion } = content;
  const list = {
    groupId,
    hash: await hashRoster(bytes),
    seq,
    gkVersion,
    hasProof: content.hasProof === true,
    role,
    path,
  };
  trust.change((record, now) => {
    const how = record.groups[groupId]?.how ?? 'made';
    return withLeft(withAcceptedList(record, { ...list, origin: 'client', how }, now), left, now);
  });
}

/** People who are on the lists since the accepted one, but not on the newest. */
function leftSince({ lists }: ShownGroup, heads: Readonly<Record<string, unknown>>, newest: RosterContent): string[] {
  if (lists === 'broken') return [];
  const base = lists.findIndex(({ hash }) => heads[hash] !== undefined);
  const present = new Set(newest.members.map(({ userId }) => userId));
  const before = base < 0 ? [] : lists.slice(base).flatMap(({ content }) => content.members);
  return [...new Set(before.map(({ userId }) => userId))].filter((userId) => !present.has(userId));
}

/** Accepts an unknown group if its list is proved and its signer's key unknown. @throws AppError otherwise */
async function acceptFirst(
  caller: TrustingCaller,
  judged: JudgedGroup,
  why: (GroupTrust & { state: 'unconfirmed' })['why'],
): Promise<void> {
  const { trust } = caller;
  const { shown, newest } = judged;
  if (newest === null) return;
  if (why !== 'new') throw new AppError('group_disputed', { details: { why } });
  if (shown.proof !== 'right') throw new AppError('group_disputed', { details: { why: 'no-proof' } });
  if (isPathTaken(shown, await trust.record())) throw new AppError('group_disputed', { details: { why: 'same-path' } });
  if (trust.isStrict()) {
    throw new AppError('member_unverified', { details: { user_ids: [newest.content.signer] } });
  }
  acceptList(caller, judged, 'api');
  await trustSigner(caller, newest);
}

async function trustSigner({ deps, keyring, trust }: TrustingCaller, { content, signedBy }: ShownList): Promise<void> {
  const { signer } = content;
  const fingerprint = signedBy?.[0];
  if (fingerprint === undefined || signer === keyring.userId) return;
  const name = await findName(deps.db, signer);
  trust.change((record, now) => withDecidedKey(record, { userId: signer, name, fingerprint }, 'api', now));
}

/**
 * Accepts the newest list. The caller writes the record. @throws CryptoError `grant` if the group does not
 * open
 */
export async function acceptInstead(caller: TrustingCaller, judged: JudgedGroup): Promise<AcceptedGroup> {
  const { groupId, newest, groupKey, rows, trust: state } = judged;
  if (newest === null || groupKey === null) throw new CryptoError('grant');
  const { content, hash } = newest;
  if (state.state === 'unconfirmed' && (state.why === 'new' || state.why === 'left')) await trustSigner(caller, newest);
  if (state.state === 'confirmed') acceptList(caller, judged, state.how === 'remembered' ? null : state.how);
  else {
    caller.trust.change((record, now) => {
      const row = record.groups[groupId];
      const list = { ...factsOf(caller, judged, newest), how: row?.how ?? 'asked' } as const;
      const left = leftSince(judged.shown, row?.heads ?? {}, content);
      return withLeft(withListInstead(record, list, now), left, now);
    });
  }
  const { gk_version: gkVersion, grants } = rows.answer;
  return { ...judged, groupKey, shared: { groupId, roster: { content, hash }, gkVersion, grants } };
}

const factsOf = ({ keyring }: TrustingCaller, { groupId, shown }: JudgedGroup, { content, hash }: ShownList) => ({
  groupId,
  hash,
  seq: content.seq,
  gkVersion: content.gkVersion,
  hasProof: content.hasProof === true,
  role: content.members.find(({ userId }) => userId === keyring.userId)?.role ?? null,
  origin: shown.origin,
  path: shown.path,
});
