/** The trust record as its owner sees it: state, browsers, last use, strictness. */
import type { TrustRecord } from '@passwordbroker/core/domain/trust/trust-record';
import type { AccountTrust } from '../../vault/trust/trust.ts';
import type { OwnCopy } from './own-copy.ts';

/** When the person last decided about strictness: no browser asks again. */
const STRICT_ASKED = 'strict_asked';

export const wasAskedStrict = (record: TrustRecord) => Number(record[STRICT_ASKED] ?? 0) > record.strict[1];

export function withStrict(record: TrustRecord, isStrict: boolean, now: number): TrustRecord {
  const [, since] = record.strict;
  return { ...record, at: Math.max(record.at, now), strict: [isStrict, Math.max(now, since + 1)] };
}

export function withDecidedStrict(record: TrustRecord, isStrict: boolean, now: number): TrustRecord {
  const next = withStrict(record, isStrict, now);
  return { ...next, [STRICT_ASKED]: next.strict[1] + 1 };
}

interface Seen {
  readonly copy: OwnCopy | null;
  readonly isBehind: boolean;
  readonly isMarked: boolean;
}

export function stateOf({ copy, isBehind, isMarked }: Seen): AccountTrust['state'] {
  if (copy === null) return isMarked ? 'missing' : 'none-yet';
  if (copy.doubted[0]) return 'doubted';
  return isBehind ? 'behind' : 'sound';
}

export function usedBrowsers(copy: OwnCopy | null): AccountTrust['browsers'] {
  const rows = Object.entries(copy?.record.browsers ?? {}).map(([id, [name, first, last]]) => ({
    id,
    name,
    first,
    last,
    isThis: id === copy?.id,
  }));
  return rows.sort((a, b) => b.last - a.last);
}

export function lastUseIn(record: TrustRecord | null): AccountTrust['lastUse'] {
  const [latest] = Object.values(record?.browsers ?? {}).sort((a, b) => b[2] - a[2]);
  if (record === null || latest === undefined) return null;
  const [group] = Object.values(record.groups).sort((a, b) => b.at - a.at);
  return { at: latest[2], browser: latest[0], group: group?.path ?? null };
}
