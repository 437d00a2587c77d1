/** Worker calls that open and judge groups. */
import { linkedRosterOf, type LinkedRoster } from '@passwordbroker/core/domain/rosters/roster-chain';
import { foldText } from '@passwordbroker/core/domain/search-text';
import { judgeGroup, type ShownGroup } from '@passwordbroker/core/domain/trust/judge-group';
import { failingAs } from '../describe-failure.ts';
import { heldGroupOf, type HeldGroup, newestOf } from './held-group.ts';
import type { RejudgedGroups } from './member-calls.ts';
import { withOlderVersions, openHeldGroup } from './opening-groups.ts';
import type { OpenSession } from '../open-session.ts';
import type { Services } from '../remote.ts';
import { describeGroup } from '../trust/details.ts';
import { accepting, holdGroup, judgeAgain, memberSet, memoryOf, requireKnownBefore } from '../trust/judging.ts';
import { wordsOf } from '../words-of.ts';

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
