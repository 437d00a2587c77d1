/** Which roster of each group this device has accepted last: the device's own document `rosters` as a value (`crypto.md` §9). */
import { CryptoError } from '../crypto/errors.ts';

export interface AcceptedRoster {
  readonly seq: number;
  /** Hex SHA-256 of its bytes. */
  readonly hash: string;
}

/** By group id. */
export type AcceptedRosters = ReadonlyMap<string, AcceptedRoster>;

export const NO_ACCEPTED_ROSTERS: AcceptedRosters = new Map();

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const HASH = /^[0-9a-f]{64}$/;
const isObject = (raw: unknown): raw is Record<string, unknown> =>
  typeof raw === 'object' && raw !== null && !Array.isArray(raw);

/** Reads the document strictly; unknown members are ignored. @throws CryptoError `payload` */
export function readAcceptedRosters(raw: unknown): AcceptedRosters {
  if (!isObject(raw) || raw['v'] !== 1 || !isObject(raw['groups'])) throw new CryptoError('payload');
  return new Map(Object.entries(raw['groups']).map(readRow));
}

function readRow([groupId, raw]: [string, unknown]): [string, AcceptedRoster] {
  const { seq, hash } = isObject(raw) ? raw : {};
  const isShaped =
    ID.test(groupId) && Number.isSafeInteger(seq) && Number(seq) >= 0 && typeof hash === 'string' && HASH.test(hash);
  if (!isShaped) throw new CryptoError('payload');
  return [groupId, { seq: Number(seq), hash }];
}

/** The document's content, to be sealed with `sealDocument`. */
export function writeAcceptedRosters(accepted: AcceptedRosters): object {
  const groups = [...accepted].map(([groupId, { seq, hash }]) => [groupId, { seq, hash }]);
  return { v: 1, groups: Object.fromEntries(groups) };
}

/** The memory after a roster was accepted; null takes the group out of it, so that the next look is a first use. */
export function withAcceptedRoster(
  accepted: AcceptedRosters,
  groupId: string,
  roster: AcceptedRoster | null,
): AcceptedRosters {
  const changed = new Map(accepted);
  if (roster === null) changed.delete(groupId);
  else changed.set(groupId, { seq: roster.seq, hash: roster.hash });
  return changed;
}
