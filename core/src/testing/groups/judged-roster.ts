/** Judges a group by its rosters only, assuming that its key opens and every key proof is valid. */
import type { AcceptedRoster } from '../../domain/rosters/accepted-rosters.ts';
import type { CertificateWire } from '../../domain/keyring/certificate.ts';
import { CryptoError } from '../../crypto/errors.ts';
import type { Keyring } from '../../domain/keyring/keyring.ts';
import type { Pin, Pins } from '../../domain/trust/pins.ts';
import type { LinkedRoster } from '../../domain/rosters/roster-chain.ts';
import type { RosterWire } from '../../domain/rosters/roster.ts';
import { type GroupTrust, judgeGroup, type ShownGroup } from '../../domain/trust/judge-group.ts';
import { readGroup } from '../../domain/trust/shown-group.ts';
import {
  EMPTY_RECORD,
  type TrustRecord,
  withAcceptedList,
  withDecidedKey,
  withoutLists,
} from '../../domain/trust/trust-record.ts';
import { createPerson } from '../keyrings.ts';

export interface JudgedRequest {
  readonly groupId: string;
  readonly answer: {
    readonly origin: 'client' | 'server';
    readonly rosters: readonly (RosterWire & { readonly signer_certificate: CertificateWire | null })[];
  };
  /** Null: the record does not know the group. */
  readonly accepted: AcceptedRoster | null;
  /** Decided keys. */
  readonly pins: Pins;
  readonly certificates: readonly CertificateWire[];
  readonly self: Pick<Keyring, 'userId' | 'fingerprint'>;
}

let reader: Promise<{ readonly keyring: Keyring }> | null = null;

interface Signer {
  readonly userId: string;
  readonly fingerprint: string;
}

export type Judged =
  | { readonly state: 'unsigned' }
  | { readonly state: 'accepted'; readonly newest: LinkedRoster | null }
  /** The signer's key is not decided. */
  | { readonly state: 'asked'; readonly why: string; readonly newest: LinkedRoster | null; readonly signer: Signer }
  | { readonly state: 'refused'; readonly fault: string; readonly newest: LinkedRoster | null };

/** @throws CryptoError `roster` for a group that is locked */
export async function acceptRoster(request: JudgedRequest): Promise<Judged> {
  const { trust, newest, signer } = await judgeRosters(request);
  switch (trust.state) {
    case 'confirmed':
      return { state: 'accepted', newest };
    case 'unconfirmed':
      return { state: 'asked', why: trust.why, newest, signer };
    case 'unsigned':
      return trust;
    case 'disputed':
      return { state: 'refused', fault: trust.why, newest };
    case 'locked':
      throw new CryptoError('roster');
  }
}

async function judgeRosters(
  request: JudgedRequest,
): Promise<{ readonly trust: GroupTrust; readonly newest: LinkedRoster | null; readonly signer: Signer }> {
  const { groupId, answer, accepted, pins, certificates, self } = request;
  const { keyring } = await (reader ??= createPerson());
  const rosters = answer.rosters.map((one) => ({
    ...one,
    roster_proof_base64: null,
    roster_proof_prev_base64: null,
  }));
  const group = {
    groupId,
    path: ['Group'],
    certificates,
    answer: { origin: answer.origin, gk_version: 1, rosters, grants: [] },
  };
  const { shown, linked } = await readGroup(keyring, group);
  const record = recordOf(groupId, accepted, pins);
  const read = { ...shown, keyFits: true, proof: 'right', lists: withReader(shown.lists, self) } satisfies ShownGroup;
  const memory = { record, self, isStrict: false, openLists: [], admins: new Map() };
  const last = read.lists === 'broken' ? undefined : read.lists.at(-1);
  const signer = { userId: last?.content.signer ?? '', fingerprint: last?.signedBy?.[0] ?? '' };
  return { trust: judgeGroup(read, memory), newest: linked.at(-1) ?? null, signer };
}

/**
 * Adds the reader to the newest list, because `judgeGroup` locks a group for other readers first.
 */
function withReader(lists: ShownGroup['lists'], { userId, fingerprint }: JudgedRequest['self']): ShownGroup['lists'] {
  const newest = lists === 'broken' ? undefined : lists.at(-1);
  if (lists === 'broken' || newest === undefined) return lists;
  if (newest.content.members.some((member) => member.userId === userId)) return lists;
  const members = [...newest.content.members, { userId, role: 'member' as const, fingerprint }];
  return [...lists.slice(0, -1), { ...newest, content: { ...newest.content, members } }];
}

function recordOf(groupId: string, accepted: AcceptedRoster | null, pins: Pins): TrustRecord {
  const decided = [...pins].reduce(
    (record, [userId, { fingerprint, name, how }]) => withDecidedKey(record, { userId, name, fingerprint }, how, 1),
    EMPTY_RECORD,
  );
  if (accepted === null) return decided;
  const { hash, seq, role = null, gone } = accepted;
  const origin = gone === true ? ('server' as const) : ('client' as const);
  const list = {
    groupId,
    hash,
    seq,
    gkVersion: 1,
    role,
    hasProof: false,
    path: ['Group'],
    origin,
    how: 'made' as const,
  };
  const known = withAcceptedList(decided, list, 1);
  return gone === true ? withoutLists(known, groupId, 2) : known;
}

export const pinOf = (fingerprint: string, how: 'first-use' | 'words'): Pin => ({
  fingerprint,
  name: 'x',
  verified: how !== 'first-use',
  how,
  firstSeen: 0,
});
