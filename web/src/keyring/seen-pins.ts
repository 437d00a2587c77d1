/**
 * How new a list of pins this device has seen, under each own key that was ever open here (crypto.md §13). None is forgotten: a key bundle of before that a
 * server shows again does not bring its older list along.
 */
import type { PublicIdentity } from '@passwordbroker/core/domain/certificate';

export interface SeenPins {
  /** The one that was opened last is the last one. */
  readonly keys: readonly SeenKey[];
  /** Kept by a client that did not keep under which key; counts for whichever is opened next. */
  readonly unnamed?: number;
}

interface SeenKey {
  /** Hex. */
  readonly fingerprint: string;
  readonly n: number;
  /** The fingerprint whose place it took, with the list; '' for first keys. */
  readonly before: string;
}

export const NO_SEEN_PINS: SeenPins = { keys: [] };

type Own = Pick<PublicIdentity, 'fingerprint' | 'keysetVersion'>;

/**
 * The least number that a list must have under this key. A change of keys takes the list along, so what was seen under the former ones counts; first
 * keys that were never open here (decision K6) begin without any.
 */
export function leastSeen({ keys, unnamed = 0 }: SeenPins, own: Own): number {
  const known = keys.find(({ fingerprint }) => fingerprint === own.fingerprint);
  if (known !== undefined) return Math.max(known.n, unnamed);
  return Math.max(unnamed, own.keysetVersion === 1 ? 0 : (keys.at(-1)?.n ?? 0));
}

/**
 * Whether another key than the present one may have been one's own: one that was open here, or any where this device knows the present one alone and that
 * is not the first. Nobody else can say it: former keys cannot be compared with anybody.
 */
export function mayBeFormer({ keys }: SeenPins, own: Own, fingerprint: string): boolean {
  const others = keys.filter((one) => one.fingerprint !== own.fingerprint);
  if (others.length === 0) return own.keysetVersion > 1;
  return others.some((one) => one.fingerprint === fingerprint);
}

/** @param isDecided a person goes on from this list: what was seen under this key begins anew with it, whatever it was */
export function withSeen(seen: SeenPins, own: Own, n: number, isDecided = false): SeenPins {
  const { fingerprint } = own;
  const known = seen.keys.find((one) => one.fingerprint === fingerprint);
  const before = known?.before ?? (own.keysetVersion === 1 ? '' : (seen.keys.at(-1)?.fingerprint ?? ''));
  const least = isDecided ? n : Math.max(n, leastSeen(seen, own));
  const former = formerOf(seen, before);
  const others = seen.keys
    .filter((one) => one.fingerprint !== fingerprint)
    // The list is the same one: shown under a former key again, it is no older.
    .map((one) => (former.has(one.fingerprint) ? { ...one, n: Math.max(one.n, least) } : one));
  return { keys: [...others, { fingerprint, n: least, before }] };
}

function formerOf({ keys }: SeenPins, before: string): ReadonlySet<string> {
  const former = new Set<string>();
  for (let next = before; next !== '' && !former.has(next);) {
    former.add(next);
    next = keys.find(({ fingerprint }) => fingerprint === next)?.before ?? '';
  }
  return former;
}

/** What an older client has kept: a number alone, or one with the key that it was seen under. Whatever else it is counts as nothing. */
export function readSeenPins(raw: unknown): SeenPins {
  if (typeof raw === 'number') return { keys: [], unnamed: raw };
  if (typeof raw !== 'object' || raw === null) return NO_SEEN_PINS;
  const { keys, unnamed, n, fingerprint } = raw as Partial<SeenPins & SeenKey>;
  if (keys !== undefined) return { keys, ...(unnamed === undefined ? {} : { unnamed }) };
  return n === undefined || fingerprint === undefined ? NO_SEEN_PINS : { keys: [{ fingerprint, n, before: '' }] };
}
