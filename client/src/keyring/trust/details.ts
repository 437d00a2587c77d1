/** What the page shows of a held group. */
import { listDifference, namedIn } from '@passwordbroker/core/domain/trust/list-difference';
import { groupAtSamePath } from '@passwordbroker/core/domain/trust/judge-group';
import { decidedKeysOf, EMPTY_RECORD, highestSeq, removedFrom } from '@passwordbroker/core/domain/trust/trust-record';
import type { GroupTrustDetails, ListToConfirm } from './trust-view.ts';
import { type HeldGroup, newestOf, type OpenSession } from '../open-session.ts';
import type { OpenedGroup } from '../groups/member-calls.ts';

type Session = Pick<OpenSession, 'keyring' | 'book'>;

export function describeGroup(session: Session, group: HeldGroup, formerName: string | null = null): OpenedGroup {
  const { keyring } = session;
  const members = group.base?.content.members ?? null;
  const self = members?.find(({ userId }) => userId === keyring.userId);
  const membership =
    self === undefined ? null : { role: self.role, isOwnKey: self.fingerprint === keyring.fingerprint };
  const details = detailsOf(session, group, formerName);
  return { groupId: group.groupId, version: group.version, membership, signed: members, details };
}

export function detailsOf(session: Session, group: HeldGroup, formerName: string | null): GroupTrustDetails {
  const record = session.book.record();
  const { groupId, trust, shown } = group;
  const row = record?.groups[groupId];
  const newest = newestOf(group);
  const twin = record === null ? null : groupAtSamePath(record, shown);
  const signer = newest === null ? undefined : record?.users[newest.content.signer];
  const isLeft = trust.state === 'unconfirmed' && trust.why === 'left';
  const isSamePath = trust.state === 'unconfirmed' && trust.why === 'same-path';
  const isReturned = trust.state === 'disputed' && trust.why === 'returned';
  return {
    trust,
    path: shown.path,
    newest: newest === null ? null : shownListOf(session, group),
    twin: isSamePath && twin !== null ? { groupId: twin, path: record?.groups[twin]?.path ?? [] } : null,
    leftAt: isLeft ? (signer?.left ?? null) : null,
    returned:
      isReturned && row !== undefined && newest !== null
        ? removedFrom(row)
            .filter((userId) => newest.content.members.some((member) => member.userId === userId))
            .filter((userId) => newest.content.seq > (row.out[userId]?.[2] ?? highestSeq(row)))
            .map((userId) => ({
              userId,
              name: record?.users[userId]?.name || null,
              removedAt: row.out[userId]?.[0] ?? 0,
            }))
        : [],
    formerName,
    difference: differenceIn(session, group),
    mayGoOn: mayGoOn(session, group),
  };
}

/** The way in which the caller may accept the newest list of a disputed group, or go on without lists. */
export function mayGoOn({ keyring, book }: Session, group: HeldGroup): GroupTrustDetails['mayGoOn'] {
  const { trust, shown } = group;
  if (trust.state !== 'disputed' || trust.why === 'key' || trust.why === 'returned' || trust.why === 'record')
    return null;
  const record = book.record();
  const row = record?.groups[group.groupId];
  if (record === null || row === undefined) return null;
  const isAdmin = row.role === 'admin';
  const newest = newestOf(group);
  if (newest === null) return isAdmin && row.origin === 'server' && shown.origin === 'server' ? 'admin' : null;
  if (!shown.keyFits || shown.proof === 'wrong') return null;
  const [key = ''] = newest.signedBy ?? [];
  const { signer } = newest.content;
  const isKnown = signer === keyring.userId ? key === keyring.fingerprint : decidedKeysOf(record, signer).includes(key);
  const isRelied = shown.proof === 'right' || isKnown;
  if (isAdmin) return isRelied ? 'admin' : null;
  // The compared key becomes a decided one.
  return 'comparing';
}

function shownListOf(session: Session, group: HeldGroup): ListToConfirm | null {
  const newest = newestOf(group);
  if (newest === null) return null;
  const { content, hash, signedBy } = newest;
  const [fingerprint = ''] = signedBy ?? [];
  const signer = { userId: content.signer, fingerprint };
  return {
    hash,
    seq: content.seq,
    people: content.members.map((member) => ({ ...member, ...namedIn(member, knownOf(session)) })),
    signer: { ...signer, ...namedIn(signer, knownOf(session)) },
    hasProof: group.shown.proof === 'right',
  };
}

const knownOf = ({ keyring, book }: Session) => ({
  record: book.record() ?? EMPTY_RECORD,
  self: { userId: keyring.userId, fingerprint: keyring.fingerprint },
});

/** To the highest accepted list. Null unless disputed. */
function differenceIn(session: Session, group: HeldGroup): GroupTrustDetails['difference'] {
  const newest = newestOf(group);
  const { base, trust } = group;
  if (trust.state !== 'disputed' || base === null || newest === null || base.hash === newest.hash) return null;
  return listDifference(base.content.members, newest.content.members, knownOf(session));
}

/** Whether another key is decided; for oneself: whether it is not the own key. */
export const isOtherKey = (session: Session, key: { readonly userId: string; readonly fingerprint: string }): boolean =>
  namedIn(key, knownOf(session)).known === 'other';
