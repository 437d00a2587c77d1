import { lastUsed, strongerKey, type TrustedGroup, type TrustedPerson, type TrustRecord } from './trust-record.ts';

/**
 * Merges two copies of a record: commutative, associative, idempotent. A decision is lost only to a later
 * one.
 */
export function mergeTrust(a: TrustRecord, b: TrustRecord): TrustRecord {
  return {
    ...mergeUnknown(a, b),
    v: 1,
    at: Math.max(a.at, b.at),
    by: later([a.at, a.by], [b.at, b.by])[1],
    own: [...new Set([...a.own, ...b.own])].sort(),
    strict: later([a.strict[1], Number(a.strict[0]), a.strict], [b.strict[1], Number(b.strict[0]), b.strict])[2],
    pins_n: Math.max(a.pins_n, b.pins_n),
    browsers: lastUsed(mergeRows(a.browsers, b.browsers, (one, other) => later([one[2], one], [other[2], other])[1])),
    users: mergeRows(a.users, b.users, mergePerson),
    groups: mergeRows(a.groups, b.groups, mergeGroup),
  };
}

function mergePerson(a: TrustedPerson, b: TrustedPerson): TrustedPerson {
  const [at, name] = later([a.at, a.name], [b.at, b.name]);
  return {
    ...mergeUnknown(a, b),
    name,
    at,
    keys: mergeRows(a.keys, b.keys, strongerKey),
    over: mergeRows(a.over, b.over, Math.max),
    left: Math.max(a.left, b.left),
  };
}

function mergeGroup(a: TrustedGroup, b: TrustedGroup): TrustedGroup {
  const over = mergeRows(a.over, b.over, Math.max);
  const heads = mergeRows(a.heads, b.heads, ([seq, at], [otherSeq, other]): TrustedGroup['heads'][string] => [
    Math.max(seq, otherSeq),
    Math.max(at, other),
  ]);
  const seen = ({ at, v, role, path, how }: TrustedGroup) => [at, [v, role, path, how] as const] as const;
  const [at, [v, role, path, how]] = later(seen(a), seen(b));
  return {
    ...mergeUnknown(a, b),
    path,
    heads: Object.fromEntries(Object.entries(heads).filter(([hash, [, since]]) => since > (over[hash] ?? -1))),
    over,
    v,
    role,
    origin: a.origin === 'client' || b.origin === 'client' ? 'client' : 'server',
    proof: a.proof || b.proof,
    how,
    out: mergeRows(a.out, b.out, (one, other) => later(rank(one), rank(other))[3]),
    at,
    gone: Math.max(a.gone, b.gone),
  };
}

const rank = (out: TrustedGroup['out'][string]) => [out[0], Number(out[1]), out[2], out] as const;

function later<const Side extends readonly [number, ...unknown[]]>(a: Side, b: Side): Side {
  if (a[0] !== b[0]) return a[0] > b[0] ? a : b;
  return JSON.stringify(a) >= JSON.stringify(b) ? a : b;
}

function mergeRows<Row>(
  a: Readonly<Record<string, Row>>,
  b: Readonly<Record<string, Row>>,
  merge: (a: Row, b: Row) => Row,
): Record<string, Row> {
  const rows = new Map(Object.entries(a));
  for (const [key, row] of Object.entries(b)) {
    const present = rows.get(key);
    rows.set(key, present === undefined ? row : merge(present, row));
  }
  return Object.fromEntries(rows);
}

/** Unknown members only: the greater JSON text wins. */
const mergeUnknown = (a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>) =>
  mergeRows(a, b, (one, other) => (JSON.stringify(one) >= JSON.stringify(other) ? one : other));
