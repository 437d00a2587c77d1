/**
 * The document `rosters` of release 1.0: accepted rosters of one device. Imported into the trust record once.
 */
import { CryptoError } from '../../crypto/errors.ts';
import { ROLES, type Role } from '../policy.ts';
import type { LinkedRoster } from './roster-chain.ts';

export interface AcceptedRoster {
  readonly seq: number;
  readonly hash: string;
  readonly role?: Role;
  /** Absent: the first roster was never seen. */
  readonly origin?: GroupOrigin;
  /** Accepted that the group has no roster. Later ones must still follow from this one. */
  readonly gone?: true;
  readonly unpinned?: true;
}

const ORIGINS = ['client', 'server'] as const;
export type GroupOrigin = (typeof ORIGINS)[number];

export type AcceptedRosters = ReadonlyMap<string, AcceptedRoster>;

export const NO_ACCEPTED_ROSTERS: AcceptedRosters = new Map();

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const HASH = /^[0-9a-f]{64}$/;
const isObject = (raw: unknown): raw is Record<string, unknown> =>
  typeof raw === 'object' && raw !== null && !Array.isArray(raw);

export function readAcceptedRosters(raw: unknown): AcceptedRosters {
  if (!isObject(raw) || raw['v'] !== 1 || !isObject(raw['groups'])) throw new CryptoError('payload');
  return new Map(Object.entries(raw['groups']).map(readRow));
}

function readRow([groupId, raw]: [string, unknown]): [string, AcceptedRoster] {
  const { seq, hash, role, origin, gone, unpinned } = isObject(raw) ? raw : {};
  const isShaped =
    ID.test(groupId) && Number.isSafeInteger(seq) && Number(seq) >= 0 && typeof hash === 'string' && HASH.test(hash);
  if (!isShaped) throw new CryptoError('payload');
  const known = { role: oneOf(ROLES, role), origin: oneOf(ORIGINS, origin) };
  const marks = { gone: oneOf([true] as const, gone), unpinned: oneOf([true] as const, unpinned) };
  return [groupId, rowOf({ seq: Number(seq), hash, ...known, ...marks })];
}

function oneOf<Word extends string | true>(words: readonly Word[], raw: unknown): Word | undefined {
  const word = words.find((known) => known === raw);
  if (raw !== undefined && word === undefined) throw new CryptoError('payload');
  return word;
}

type Loose = { readonly [Name in keyof AcceptedRoster]: AcceptedRoster[Name] | undefined };

function rowOf({
  seq,
  hash,
  role,
  origin,
  gone,
  unpinned,
}: Partial<Loose> & Pick<AcceptedRoster, 'seq' | 'hash'>): AcceptedRoster {
  return {
    seq,
    hash,
    ...(role === undefined ? {} : { role }),
    ...(origin === undefined ? {} : { origin }),
    ...(gone === undefined ? {} : { gone }),
    ...(unpinned === undefined ? {} : { unpinned }),
  };
}

/** For `sealDocument`. */
export function writeAcceptedRosters(accepted: AcceptedRosters): object {
  return { v: 1, groups: Object.fromEntries([...accepted].map(([groupId, row]) => [groupId, rowOf(row)])) };
}

/**
 * A client signs the first roster with the first key, for a server's group with the second
 * (docs/spec/crypto.md §8).
 */
export function originOf({
  seq,
  gkVersion,
}: Pick<LinkedRoster['content'], 'seq' | 'gkVersion'>): GroupOrigin | undefined {
  if (seq !== 0) return undefined;
  return gkVersion === 1 ? 'client' : 'server';
}
