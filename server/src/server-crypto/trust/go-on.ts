import type { trustGroup } from '@passwordbroker/core/contract/account/own-keys';
import type { AnswerOf, BodyOf } from '@passwordbroker/core/contract/endpoint';
import { AppError } from '@passwordbroker/core/contract/problem';
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import type { SignedMember } from '@passwordbroker/core/domain/groups/group-keys';
import { signAgain } from '@passwordbroker/core/domain/groups/member-change';
import { hashRoster, readRoster } from '@passwordbroker/core/domain/rosters/roster';
import { startRotation } from '@passwordbroker/core/domain/groups/rotation';
import type { GroupTrust, ShownList } from '@passwordbroker/core/domain/trust/judge-group';
import { decidedKeysOf, isCompared, removedFrom, withRemoval } from '@passwordbroker/core/domain/trust/trust-record';
import { recordEvent } from '../../audit/audit-log.ts';
import { rosterConflict } from '../../groups/signed-roster.ts';
import type { Context } from '../../http/context.ts';
import { rotateGroup, signMembers } from '../../members/rotation/rotate-group.ts';
import { type OpenedCaller, withCallerKeyring } from '../caller-keyring.ts';
import { acceptInstead, acceptOwnList, type AcceptedGroup, judge, type JudgedGroup } from './judged-group.ts';
import { recipientsOf } from './recipients.ts';

type Deciding = Context<typeof trustGroup, BodyOf<typeof trustGroup>>;

/**
 * Accepts the newest list by the caller's decision (ADR 24). An admin also signs a list that supersedes the
 * others, by a rotation if the key version is lower, as a former member may hold that key.
 * @throws AppError `roster_conflict` unless `roster_hash` is the newest, `group_disputed`,
 * `member_unverified`, `key_changed`; CryptoError `roster`; as `withCallerKeyring`
 */
export async function trustGroupWithMasterPassword(context: Deciding): Promise<AnswerOf<typeof trustGroup>> {
  const { group, body } = context;
  return withCallerKeyring(context, body.master_password, async (opened) => {
    const judged = await judge(opened, group.entry_group_id);
    const { newest, trust } = judged;
    if (newest === null || newest.hash !== body.roster_hash) {
      throw trust.state === 'disputed' && newest === null
        ? new AppError('group_disputed', { details: { why: trust.why } })
        : rosterConflict(newest?.content.seq ?? null);
    }
    await requireDecision(opened, judged, newest);
    const row = (await opened.trust.record()).groups[judged.groupId];
    const shown = judged.shown.lists === 'broken' ? [] : judged.shown.lists.map(({ hash }) => hash);
    const supersedes = Object.keys(row?.heads ?? {}).filter((hash) => !shown.includes(hash));
    const accepted = await acceptInstead(opened, judged);
    if (isReturned(judged)) await takeBackRemovals(opened, accepted);
    const signs = supersedes.length > 0 && isAdminIn(newest, opened);
    const members = signs ? await recipientsOf(opened, accepted) : [];
    await decide(context, opened, newest);
    if (!signs) return { seq: newest.content.seq, hash: newest.hash };
    const isLower = newest.content.gkVersion < (row?.v ?? 0);
    return signNext(context, opened, accepted, { members, isLower, supersedes: supersedes.slice(0, MOST_SUPERSEDED) });
  });
}

const MOST_SUPERSEDED = 8;

/** @throws as `trustGroupWithMasterPassword` */
async function requireDecision(
  { keyring, trust }: OpenedCaller,
  judged: JudgedGroup,
  newest: ShownList,
): Promise<void> {
  const { trust: state, shown, groupKey } = judged;
  if (state.state === 'locked' || groupKey === null || shown.proof === 'wrong') throw new CryptoError('roster');
  if (state.state === 'confirmed' || state.state === 'unsigned') return;
  const record = await trust.record();
  const { signer } = newest.content;
  const keys = newest.signedBy ?? [];
  const isOwn = signer === keyring.userId && keys.includes(keyring.fingerprint);
  const isDecided = isOwn || decidedKeysOf(record, signer).some((key) => keys.includes(key));
  const compared =
    isOwn || decidedKeysOf(record, signer).some((key) => keys.includes(key) && isCompared(record, signer, key));
  if (state.state === 'disputed' && state.why === 'key') {
    throw new AppError('key_changed', { details: { user_ids: [signer] } });
  }
  if (shown.proof !== 'right' && !isDecided) throw new AppError('group_disputed', { details: { why: whyOf(state) } });
  const isAdmin = record.groups[judged.groupId]?.role === 'admin';
  const needsCompared = trust.isStrict() || (state.state === 'disputed' ? !isAdmin : NEEDS_WORDS.has(state.why));
  if (needsCompared && !compared) throw new AppError('member_unverified', { details: { user_ids: [signer] } });
}

/** Reasons for which the signer's key must be compared. */
const NEEDS_WORDS: ReadonlySet<string> = new Set(['same-path', 'gap']);
const whyOf = (state: GroupTrust) => ('why' in state ? state.why : state.state);

const isAdminIn = ({ content: { members } }: ShownList, { keyring: { userId, fingerprint } }: OpenedCaller) =>
  members.some((one) => one.userId === userId && one.role === 'admin' && one.fingerprint === fingerprint);

const isReturned = ({ trust }: JudgedGroup) => trust.state === 'disputed' && trust.why === 'returned';

async function takeBackRemovals({ trust }: OpenedCaller, { groupId, newest }: AcceptedGroup): Promise<void> {
  const row = (await trust.record()).groups[groupId];
  const named = new Set(newest?.content.members.map(({ userId }) => userId));
  for (const userId of row === undefined ? [] : removedFrom(row)) {
    if (named.has(userId)) trust.change((record, now) => withRemoval(record, { groupId, userId, isOut: false }, now));
  }
}

/** The transaction also writes the trust record. */
async function decide({ actor, origin, group }: Deciding, { deps }: OpenedCaller, { hash }: ShownList): Promise<void> {
  await deps.db.transact((tx) =>
    recordEvent(tx, deps, {
      event_type: 'trust_changed',
      actor,
      origin,
      target_type: 'entry_group',
      target_id: group.entry_group_id,
      details: { roster_hash: hash },
    }),
  );
}

interface NextList {
  readonly members: readonly SignedMember[];
  readonly supersedes: readonly string[];
  readonly isLower: boolean;
}

async function signNext(
  context: Deciding,
  opened: OpenedCaller,
  group: AcceptedGroup,
  { members, supersedes, isLower }: NextList,
): Promise<AnswerOf<typeof trustGroup>> {
  const { keyring, deps } = opened;
  const { groupId, shared } = group;
  const { roster } = shared;
  if (roster === null) throw rosterConflict(null);
  const next = { members, now: deps.clock.now(), supersedes };
  if (isLower) {
    const { wire } = await startRotation(keyring, shared, next);
    await acceptOwnList(opened, group, wire.roster_base64);
    await rotateGroup(deps, context, groupId, { ...wire, grants: [...wire.grants] });
    return shownAs(wire);
  }
  const wire = await signAgain(keyring, { ...shared, roster }, next);
  await acceptOwnList(opened, group, wire.roster_base64);
  await signMembers(deps, context, groupId, wire);
  return shownAs(wire);
}

async function shownAs({ roster_base64 }: { readonly roster_base64: string }): Promise<AnswerOf<typeof trustGroup>> {
  const bytes = new Uint8Array(Buffer.from(roster_base64, 'base64'));
  return { seq: readRoster(bytes).seq, hash: await hashRoster(bytes) };
}
