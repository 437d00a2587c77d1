/** Worker calls for the trust record and the person's decisions. */
import { isPathTaken } from '@passwordbroker/core/domain/trust/judge-group';
import { recordDigest } from '@passwordbroker/core/domain/trust/key-verdict';
import {
  decidedKeysOf,
  EMPTY_RECORD,
  type TrustRecord,
  withDecidedKey,
  withDeletedGroup,
  withListInstead,
  withRemoval,
  withoutLists,
  withPath,
} from '@passwordbroker/core/domain/trust/trust-record';
import { describeJudged, openHeldGroup } from '../groups/group-services.ts';
import { heldGroupOf, type HeldGroup, newestOf, type OpenSession } from '../open-session.ts';
import type { GroupToPropose, RejudgedGroups, MemberCalls } from '../groups/member-calls.ts';
import type { Services } from '../remote.ts';
import { trustError } from '../keyring-error.ts';
import { wordsOf } from '../words-of.ts';
import { detailsOf, mayGoOn } from './details.ts';
import { accepting, judgeAgain, memoryOf } from './judging.ts';
import { decidedPins, withPins } from './migration.ts';

type TrustCallName =
  | 'accountTrust'
  | 'sealTrust'
  | 'trustStored'
  | 'trustFailed'
  | 'readTrust'
  | 'confirmSigner'
  | 'goOn'
  | 'decideReturned'
  | 'answerLastUse'
  | 'beginRecord'
  | 'proposeRecord'
  | 'setUpRecord'
  | 'recordWords'
  | 'compareBrowsers'
  | 'setStrict'
  | 'setSiteTrust'
  | 'noteRemoval'
  | 'noteGroups';

export function trustServices(session: () => OpenSession): Pick<Services, TrustCallName> {
  const rejudged = (): RejudgedGroups => describeJudged(session(), judgeAgain(session()));

  return {
    async accountTrust() {
      const { book } = session();
      await book.restoreLostCopy();
      return book.account();
    },

    sealTrust: () => session().book.sealed(),

    async trustStored({ version }) {
      await session().book.stored(version);
      return null;
    },

    async trustFailed({ reason }) {
      session().book.failed(reason);
      return null;
    },

    async readTrust({ document }) {
      await session().book.read(document);
      return rejudged();
    },

    async confirmSigner({ groupId, hash, signer, how }) {
      const { book } = session();
      const group = heldGroupOf(session(), groupId);
      const newest = newestOf(group);
      const isShown = newest?.hash === hash && newest.content.signer === signer.userId;
      if (!isShown || newest.signedBy?.[0] !== signer.fingerprint) throw trustError('other_list');
      if (group.trust.state !== 'unconfirmed') return rejudged();
      const isSamePath = group.trust.why === 'same-path';
      if (how === 'first-use' && (isSamePath || book.isStrict())) throw trustError('must_compare');
      // Without a right key proof only the key is decided.
      const accepted = isSamePath && group.shown.proof === 'right' ? accepting(session(), group, 'asked') : null;
      await book.decide((record, now) => {
        const decided = withSignerDecided(session(), record, signer, how, now);
        return accepted === null ? decided : accepted.change(decided, now);
      }, accepted?.admins);
      return rejudged();
    },

    async goOn({ groupId, hash, compared }) {
      const present = session();
      const { book } = present;
      const group = heldGroupOf(present, groupId);
      if ((newestOf(group)?.hash ?? null) !== hash) throw trustError('other_list');
      const may = mayGoOn(present, group);
      const record = book.record();
      const row = record?.groups[groupId];
      if (may === null || row === undefined) throw trustError(hash === null ? 'never_without' : 'not_to_go_on');
      if (may === 'comparing') requireComparedSigner(group, compared);
      else requireKnownSigner(present, group);
      const former = Object.keys(row.heads).filter((one) => one !== hash);
      const next = accepting(present, group, 'asked');
      const list = next?.list ?? null;
      await book.decide((known, now) => {
        const decided = compared === null ? known : withDecidedKey(known, compared, compared.how, now);
        return list === null ? withoutLists(decided, groupId, now) : withListInstead(decided, list, now);
      }, next?.admins);
      const judged = rejudged();
      if (may !== 'admin' || list === null) return { ...judged, next: null };
      present.superseded.set(groupId, former);
      // A former member may hold the key of a lower version.
      return { ...judged, next: list.gkVersion < row.v ? 'rotate' : 'sign' };
    },

    async decideReturned({ groupId, hash, userId, isOut }) {
      const present = session();
      const group = heldGroupOf(present, groupId);
      const isReturned = group.trust.state === 'disputed' && group.trust.why === 'returned';
      if (!isReturned || newestOf(group)?.hash !== hash) throw trustError('other_list');
      const accepted = accepting(present, group, 'asked');
      if (accepted === null) throw trustError('other_list');
      // The list is accepted first, so that the removal is newer.
      await present.book.decide(
        (record, now) => withRemoval(accepted.change(record, now), { groupId, userId, isOut }, now),
        accepted.admins,
      );
      return rejudged();
    },

    async answerLastUse({ isRight }) {
      const { book } = session();
      await book.answerLastUse();
      if (!isRight) await book.doubt(true);
      return rejudged();
    },

    async beginRecord() {
      const { book } = session();
      const { state } = book.account();
      if (state === 'sound' || state === 'behind') return rejudged();
      await book.begin(EMPTY_RECORD);
      return rejudged();
    },

    proposeRecord: async ({ groups, pins }) => {
      const own = await ownGroupsAmong(session(), groups);
      const people = await decidedPins(session().keyring, pins);
      return {
        groups: own.map((group) => {
          const { groupId, shown } = group;
          return { groupId, path: shown.path, people: detailsOf(session(), group, null).newest?.people ?? [] };
        }),
        people: [...people].map(([userId, { fingerprint, name, verified }]) => {
          const known = verified ? ('compared' as const) : ('for now' as const);
          return { userId, fingerprint, name, known };
        }),
      };
    },

    async setUpRecord({ groups, pins, groupIds, userIds }) {
      const present = session();
      if (present.book.account().state !== 'none-yet') return rejudged();
      const chosen = new Set(userIds);
      const people = await withPins(present.keyring, EMPTY_RECORD, pins);
      const users = Object.fromEntries(Object.entries(people.users).filter(([userId]) => chosen.has(userId)));
      const own = await ownGroupsAmong(
        present,
        groups.filter(({ groupId }) => groupIds.includes(groupId)),
      );
      const now = Math.floor(Date.now() / 1000);
      const begun = own.reduce<TrustRecord>(
        (record, group) => accepting(present, group, 'asked')?.change(record, now) ?? record,
        { ...people, users },
      );
      await present.book.begin(begun);
      return rejudged();
    },

    async recordWords() {
      const { book, keyring } = session();
      const shown = book.onServer();
      if (shown === null) throw trustError('record');
      const { n, record } = shown;
      const { fingerprint: hash, words } = await wordsOf(await recordDigest(keyring.userId, n, record));
      return { n, hash, words };
    },

    async compareBrowsers({ isSame }) {
      await session().book.doubt(!isSame);
      return rejudged();
    },

    async setStrict({ isStrict }) {
      await session().book.setStrict(isStrict);
      return rejudged();
    },

    async setSiteTrust({ isStrict }) {
      await session().book.setSite(isStrict);
      return rejudged();
    },

    async noteRemoval({ groupId, userId }) {
      const { book, groups } = session();
      const group = groups.get(groupId);
      const shownSeq = group === undefined ? 0 : (newestOf(group)?.content.seq ?? 0);
      await book.decide((record, now) => withRemoval(record, { groupId, userId, isOut: true, shownSeq }, now));
      return null;
    },

    async noteGroups(groups) {
      await session().book.decide((record, now) =>
        groups.reduce((next, { groupId, path, isDeleted, under = groupId }) => {
          if (isDeleted === true) return isBelow(record, groupId, under) ? withDeletedGroup(next, groupId, now) : next;
          // The server supplies the names above: never take over the path of another known group.
          if (path === undefined || isPathTaken({ groupId, path }, next)) return next;
          return withPath(next, groupId, path, now);
        }, record),
      );
      return null;
    },
  };
}

/** By the recorded paths; the server's tree is not trusted. */
function isBelow({ groups }: TrustRecord, groupId: string, under: string): boolean {
  if (groupId === under) return true;
  const path = groups[groupId]?.path ?? [];
  const above = groups[under]?.path ?? [];
  return above.length > 0 && above.every((name, at) => path[at] === name);
}

type Person = MemberCalls['confirmSigner']['input']['signer'];
type How = MemberCalls['confirmSigner']['input']['how'];

function withSignerDecided({ keyring }: OpenSession, record: TrustRecord, signer: Person, how: How, now: number) {
  return signer.userId === keyring.userId ? record : withDecidedKey(record, signer, how, now);
}

/** @throws KeyringError 'key_changed' if another key is decided for the signer: compare it first */
function requireKnownSigner({ book }: OpenSession, group: HeldGroup): void {
  const newest = newestOf(group);
  const record = book.record();
  if (newest === null || record === null) return;
  const { signer } = newest.content;
  const isOther = decidedKeysOf(record, signer).some((known) => newest.signedBy?.includes(known) !== true);
  if (isOther) throw trustError('key_changed', { userIds: [signer] });
}

/** @throws KeyringError 'not_admin' unless the person compared the signer's key */
function requireComparedSigner(group: HeldGroup, compared: Person | null): void {
  const newest = newestOf(group);
  const isSigner = newest?.content.signer === compared?.userId && newest?.signedBy?.[0] === compared?.fingerprint;
  if (compared === null || !isSigner) throw trustError('not_admin');
}

/** Groups whose newest list is signed with the own present key. */
async function ownGroupsAmong(session: OpenSession, groups: readonly GroupToPropose[]): Promise<readonly HeldGroup[]> {
  const { keyring, chains } = session;
  const opened = await Promise.all(
    groups.map(({ groupId, path, roster: answer }) => {
      const group = { groupId, path, answer, certificates: [] };
      const memory = { ...memoryOf(session, groupId), record: EMPTY_RECORD };
      return openHeldGroup({ keyring, memory, group, follow: chains.follow });
    }),
  );
  return opened.filter((group) => {
    const newest = newestOf(group);
    const isOwn = newest?.content.signer === keyring.userId && newest.signedBy?.[0] === keyring.fingerprint;
    return isOwn && group.trust.state !== 'locked';
  });
}
