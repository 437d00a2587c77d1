/** Worker calls that open and judge groups. */
import {
  linkedRosterOf,
  type LinkedRoster,
  commitmentsOf,
  linkBack,
} from '@passwordbroker/core/domain/rosters/roster-chain';
import { foldText } from '@passwordbroker/core/domain/search-text';
import { judgeGroup, type ShownGroup, type TrustMemory } from '@passwordbroker/core/domain/trust/judge-group';
import { failingAs } from '../describe-failure.ts';
import { heldGroupOf, type HeldGroup, newestOf, type OpenSession } from '../open-session.ts';
import type { RejudgedGroups } from './member-calls.ts';
import type { Services } from '../remote.ts';
import { describeGroup } from '../trust/details.ts';
import { accepting, holdGroup, judgeAgain, memberSet, memoryOf, requireKnownBefore } from '../trust/judging.ts';
import { wordsOf } from '../words-of.ts';
import { decodeBase64 } from '@passwordbroker/core/crypto/bytes';
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import type { Follow, CertificateWire } from '@passwordbroker/core/domain/keyring/certificate';
import type { GroupKey } from '@passwordbroker/core/domain/groups/grants';
import { openGroupUnder, type GroupKeysWire } from '@passwordbroker/core/domain/groups/group-keys';
import type { Keyring } from '@passwordbroker/core/domain/keyring/keyring';
import { hashRoster, readRoster } from '@passwordbroker/core/domain/rosters/roster';
import { type GroupToRead, readGroup } from '@passwordbroker/core/domain/trust/shown-group';
import { decidedKeysOf } from '@passwordbroker/core/domain/trust/trust-record';
import { openGroupVersions } from '@passwordbroker/core/domain/groups/rotation';

type GroupServices = Pick<
  Services,
  'ownKey' | 'acceptedSeq' | 'openGroup' | 'keepOwnList' | 'openOlderVersions' | 'mayUnasked' | 'unproved'
>;

const NOTHING_CHANGED: RejudgedGroups = { changed: [], stale: [] };

export function groupServices(session: () => OpenSession): GroupServices {
  return {
    async ownKey() {
      const { userId, fingerprint } = session().keyring;
      return { userId, ...(await wordsOf(fingerprint)) };
    },

    async acceptedSeq({ groupId }) {
      await session().book.mergeOtherTabs();
      const heads = Object.values(session().book.record()?.groups[groupId]?.heads ?? {});
      if (heads.length === 0) return { seq: null, highest: null };
      const seqs = heads.map(([seq]) => seq);
      return { seq: Math.min(...seqs), highest: Math.max(...seqs) };
    },

    async openGroup({ groupId, path, roster: answer, certificates }) {
      const present = session();
      const { keyring, groups, chains, book } = present;
      const isNews = await book.mergeOtherTabs();
      const group = { groupId, path, answer, certificates };
      const memory = memoryOf(present, groupId);
      const opened = await openHeldGroup({ keyring, memory, group, follow: chains.follow });
      const formerName = formerNameOf(present, opened);
      const held = withKnownKeys(opened, groups.get(groupId));
      holdGroup(present, held);
      dropDrafts(present, newestOf(held));
      const mayVouch = isNews || held.trust.state === 'confirmed';
      const judged = mayVouch ? judgeOthers(present, groupId, isNews) : NOTHING_CHANGED;
      return { ...describeGroup(present, held, formerName), ...judged };
    },

    async keepOwnList({ groupId, roster_base64 }) {
      const present = session();
      const { groups, drafts, known, superseded, book, keyring } = present;
      const list = await linkedRosterOf({ roster_base64 });
      if (!drafts.has(list.hash) || list.content.groupId !== groupId) return null;
      dropDrafts(present, list);
      superseded.delete(groupId);
      known.set(groupId, memberSet(list.content));
      const group = groups.get(groupId);
      const shown = withOwnList(group?.shown, list, keyring.fingerprint);
      const how = book.record()?.groups[groupId]?.how ?? 'asked';
      const accepted = shown === null ? null : accepting(present, { groupId, shown }, how);
      if (accepted !== null) await book.decide(accepted.change, accepted.admins);
      if (group === undefined || shown === null) return null;
      if (list.content.gkVersion !== group.version || !shown.keyFits) {
        // The list has a new key.
        groups.delete(groupId);
        return null;
      }
      const trust = judgeGroup(shown, memoryOf(present, groupId));
      const kept: HeldGroup = { ...group, shown, trust, base: list, linked: [...group.linked, list] };
      holdGroup(present, { ...kept, wires: [] });
      return { ...describeGroup(present, kept), ...judgeOthers(present, groupId) };
    },

    openOlderVersions: ({ groupId, roster }) =>
      failingAs('key_mismatch', async () => {
        const present = session();
        const older = await withOlderVersions(present.keyring, heldGroupOf(present, groupId), roster);
        present.groups.set(groupId, older);
        return older.trust.state === 'locked' ? describeGroup(present, older) : null;
      }),

    async mayUnasked({ groupId }) {
      try {
        requireKnownBefore(session(), heldGroupOf(session(), groupId));
        return true;
      } catch {
        return false;
      }
    },

    async unproved() {
      const { book } = session();
      const before = book.before();
      const record = book.record();
      if (before === null || record === null) return [];
      return Object.entries(before.groups).flatMap(([groupId, row]) => {
        const present = record.groups[groupId];
        const isToSign = present?.proof === false && present.role === 'admin' && Object.keys(row.heads).length === 1;
        return isToSign ? [groupId] : [];
      });
    },
  };
}

/** If the list is the same. */
function withKnownKeys(group: HeldGroup, before: HeldGroup | undefined): HeldGroup {
  const isSame = before !== undefined && before.base !== null && before.base.hash === group.base?.hash;
  if (!isSame || group.keys.size === 0) return group;
  const keys = new Map([...before.keys, ...group.keys]);
  return { ...group, keys, uncommitted: before.uncommitted, hasOlder: before.hasOlder };
}

/** A confirmed list can confirm others. */
function judgeOthers(session: OpenSession, groupId: string, isNews = false): RejudgedGroups {
  const isWaiting = isNews || [...session.groups.values()].some(({ trust }) => trust.state === 'unconfirmed');
  return isWaiting ? describeJudged(session, judgeAgain(session), groupId) : NOTHING_CHANGED;
}

export function describeJudged(
  session: OpenSession,
  { changed, stale }: ReturnType<typeof judgeAgain>,
  without?: string,
): RejudgedGroups {
  const others = changed.filter(({ groupId }) => groupId !== without);
  return { changed: others.map((group) => describeGroup(session, group)), stale };
}

/** Null if the server shows the same name. */
function formerNameOf({ book }: OpenSession, { groupId, shown }: HeldGroup): string | null {
  const before = book.record()?.groups[groupId]?.path.at(-1);
  const name = shown.path.at(-1);
  if (before === undefined || name === undefined || foldText(before) === foldText(name)) return null;
  return before;
}

/** Null: the list does not follow the newest one. */
function withOwnList(shown: ShownGroup | undefined, { content, hash }: LinkedRoster, own: string): ShownGroup | null {
  if (shown === undefined || shown.lists === 'broken') return null;
  const newest = shown.lists.at(-1);
  if (newest !== undefined && newest.hash !== content.prev) return null;
  const isSameKey = newest?.content.gkVersion === content.gkVersion && shown.keyFits;
  const proof = content.hasProof === true ? 'right' : 'none';
  return { ...shown, lists: [...shown.lists, { content, hash, signedBy: [own] }], keyFits: isSameKey, proof };
}

/** The server stores one list per sequence number. */
function dropDrafts({ drafts }: OpenSession, taken: Pick<LinkedRoster, 'content'> | null): void {
  if (taken === null) return;
  const { groupId, seq } = taken.content;
  for (const [hash, { content }] of drafts) if (content.groupId === groupId && content.seq <= seq) drafts.delete(hash);
}

/** Opens a group from the server's answer and judges it by the trust record. */
interface Opening {
  readonly keyring: Keyring;
  readonly memory: TrustMemory;
  readonly group: {
    readonly groupId: string;
    /** Empty: unknown. */
    readonly path: readonly string[];
    readonly answer: GroupToRead['answer'];
    readonly certificates: readonly CertificateWire[];
  };
  readonly follow: Follow;
  /** A disputed list still opens for reading, because the copy may be older than the record. */
  readonly isCopy?: boolean;
}

/** Bad data locks or disputes the group. @throws CryptoError `locked` */
export async function openHeldGroup({ keyring, memory, group, follow, isCopy }: Opening): Promise<HeldGroup> {
  const { groupId, answer } = group;
  const { shown, linked, groupKey } = await readGroup(keyring, { ...group, follow });
  const trust = judgeGroup(shown, memory);
  const newest = linked.at(-1) ?? null;
  const common = {
    groupId,
    shown,
    trust,
    linked,
    wires: answer.rosters.slice(answer.rosters.length - linked.length),
    uncommitted: new Set<number>(),
    hasOlder: false,
    gkVersion: answer.gk_version,
    grants: answer.grants,
  };
  const held = (base: LinkedRoster | null, key: GroupKey | null): HeldGroup => ({
    ...common,
    base,
    version: key?.version ?? answer.gk_version,
    keys: key === null ? new Map() : new Map([[key.version, key]]),
  });
  if (trust.state === 'locked') return held(null, null);
  if (trust.state !== 'disputed' || trust.why === 'record' || isCopy === true) return held(newest, groupKey);
  const heads = Object.keys(memory.record?.groups[groupId]?.heads ?? {});
  const accepted = await openAccepted(keyring, group, heads);
  if (accepted !== null) return held(accepted.base, accepted.key);
  // A restored server may lack the accepted list. Reading shares nothing, so a known signer is enough.
  const isRestored = trust.why === 'rolled-back' || trust.why === 'forked';
  return isRestored && isKnownSigner(shown, memory) ? held(newest, groupKey) : held(null, null);
}

function isKnownSigner({ lists }: ShownGroup, { record, self }: TrustMemory): boolean {
  const newest = lists === 'broken' ? undefined : lists.at(-1);
  if (newest === undefined || record === null) return false;
  const { signer } = newest.content;
  const keys = newest.signedBy ?? [];
  if (signer === self.userId) return keys.includes(self.fingerprint);
  const decided = decidedKeysOf(record, signer);
  return decided.length > 0 && decided.every((known) => keys.includes(known));
}

/** The highest accepted list that the server still shows. */
async function openAccepted(
  keyring: Keyring,
  { groupId, answer }: Opening['group'],
  heads: readonly string[],
): Promise<{ readonly base: LinkedRoster; readonly key: GroupKey } | null> {
  for (const wire of answer.rosters.toReversed()) {
    try {
      const bytes = decodeBase64(wire.roster_base64);
      const hash = await hashRoster(bytes);
      if (!heads.includes(hash)) continue;
      const content = readRoster(bytes);
      const place = { groupId, gkVersion: answer.gk_version, grants: answer.grants };
      const { groupKey } = await openGroupUnder(keyring, { content, wire }, place);
      return { base: { content, hash }, key: groupKey };
    } catch (failure) {
      if (!(failure instanceof CryptoError) || failure.code === 'locked') throw failure;
    }
  }
  return null;
}

/**
 * Opens the versions whose commitment and key proofs the base list reaches by hashes.
 * @param answer all lists, with the own grants
 * @throws CryptoError `roster` for contradictory lists; `locked`
 */
export async function withOlderVersions(
  keyring: Keyring,
  group: HeldGroup,
  answer: Pick<GroupKeysWire, 'rosters' | 'grants'>,
): Promise<HeldGroup> {
  const { groupId, base, keys, gkVersion } = group;
  if (keys.size === 0) return { ...group, hasOlder: true };
  const linked = base === null ? null : await linkedFrom(base, answer.rosters);
  const commitments = linked === null ? null : commitmentsOf(linked.rosters, linked.wires);
  const older = await openGroupVersions(keyring, { groupId, grants: answer.grants, gkVersion }, commitments);
  if (older.isProofBroken) return withWrongProof(group);
  return { ...group, keys: new Map([...older.keys, ...keys]), uncommitted: new Set(older.uncommitted), hasOlder: true };
}

/** A rotation has no valid proof under the former secret. */
function withWrongProof(group: HeldGroup): HeldGroup {
  const shown = { ...group.shown, proof: 'wrong' as const };
  return { ...group, shown, trust: { state: 'locked', why: 'proof' }, base: null, keys: new Map(), hasOlder: true };
}

interface Linked {
  readonly rosters: readonly LinkedRoster[];
  readonly wires: GroupKeysWire['rosters'];
}

async function linkedFrom(base: LinkedRoster, wires: GroupKeysWire['rosters']): Promise<Linked> {
  const hashes = await Promise.all(wires.map(({ roster_base64 }) => hashRoster(decodeBase64(roster_base64))));
  const at = hashes.indexOf(base.hash);
  if (at < 0) return { rosters: [base], wires: [] };
  const shown = wires.slice(0, at + 1);
  return { rosters: await linkBack(base, shown), wires: shown };
}
