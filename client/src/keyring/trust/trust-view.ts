/** What the page shows of trust (ADR 23): of each group, and of the account's record. */
import type { GroupTrust } from '@passwordbroker/core/domain/trust/judge-group';
import type { KnownKey, ListDifference, ListedPerson } from '@passwordbroker/core/domain/trust/list-difference';
import type { TrustRecord } from '@passwordbroker/core/domain/trust/trust-record';
import type { LastUse, OwnCopy } from './own-copy.ts';

/** A person and one of their keys. */
export interface PersonKey {
  readonly userId: string;
  readonly fingerprint: string;
}

export interface ListToConfirm {
  /** Hex SHA-256; a decision names it. */
  readonly hash: string;
  readonly seq: number;
  readonly people: readonly ListedPerson[];
  readonly signer: PersonKey & { readonly name: string | null; readonly known: KnownKey };
  /** False: it cannot be confirmed by a question. */
  readonly hasProof: boolean;
}

export interface GroupTrustDetails {
  readonly trust: GroupTrust;
  /** Names from the root. */
  readonly path: readonly string[];
  /** Newest list with a valid signature; null: none. */
  readonly newest: ListToConfirm | null;
  /** `same-path`: the recorded group at this path. */
  readonly twin: { readonly groupId: string; readonly path: readonly string[] } | null;
  /** `left`: Unix seconds at which the signer was left out. */
  readonly leftAt: number | null;
  /** `returned`: removed by this account and listed again. */
  readonly returned: readonly { readonly userId: string; readonly name: string | null; readonly removedAt: number }[];
  /** The former name, only in the opening that noticed a rename. */
  readonly formerName: string | null;
  /** Of a disputed group, to the accepted list if it is shown. */
  readonly difference: ListDifference | null;
  /**
   * How this person may accept the newest list: as an `admin` of the accepted one, or by `comparing` the
   * signer's words.
   */
  readonly mayGoOn: 'admin' | 'comparing' | null;
}

/**
 * `behind`: this browser puts its newer record back. `missing`: neither server nor browser has it.
 * `none-yet`: account of release 1.0. `doubted`: nothing is written.
 */
type AccountTrustState = 'sound' | 'behind' | 'missing' | 'none-yet' | 'doubted';

interface UsedBrowser {
  readonly id: string;
  readonly name: string;
  /** Unix seconds. */
  readonly first: number;
  readonly last: number;
  readonly isThis: boolean;
}

export interface AccountTrust {
  readonly state: AccountTrustState;
  /** Version on the server, or the highest seen. */
  readonly n: number;
  /** Unix seconds of the last change; 0: none. */
  readonly at: number;
  readonly browsers: readonly UsedBrowser[];
  /** This browser knew the record, or data of release 1.0, before this unlock. */
  readonly hasMemory: boolean;
  /** Only in a browser without memory. */
  readonly lastUse: LastUse | null;
  /** Until it is answered nothing is sealed or wrapped (KeyringError 'last_use'). */
  readonly asksLastUse: boolean;
  readonly wasPutBack: boolean;
  /** Reason of the last failed write, after three in a row. */
  readonly writeProblem: string | null;
  /** Its copy was deleted while the page was open, and written again. */
  readonly wasStorageDeleted: boolean;
  /** Only compared keys count, by the site or the person. */
  readonly isStrict: boolean;
  /** The site dropped the requirement; the person decides for the account. */
  readonly asksStrict: boolean;
}

export interface RecordProposal {
  /** Signed with the own key. */
  readonly groups: readonly {
    readonly groupId: string;
    readonly path: readonly string[];
    readonly people: readonly ListedPerson[];
  }[];
  /** Confirmed in release 1.0. */
  readonly people: readonly (PersonKey & { readonly name: string; readonly known: KnownKey })[];
}

/** For comparing two of one's own browsers. */
export interface RecordWords {
  readonly n: number;
  /** 64 lower-case hex characters, for the QR code. */
  readonly hash: string;
  readonly words: readonly string[];
}

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

export function lastUseIn(record: TrustRecord | null): LastUse | null {
  const [latest] = Object.values(record?.browsers ?? {}).sort((a, b) => b[2] - a[2]);
  if (record === null || latest === undefined) return null;
  const [group] = Object.values(record.groups).sort((a, b) => b.at - a.at);
  return { at: latest[2], browser: latest[0], group: group?.path ?? null };
}
